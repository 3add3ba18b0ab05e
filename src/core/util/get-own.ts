/** Looks up a name that came from outside: `constructor` and `__proto__` are names like any other (L23). */
export function getOwn<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
