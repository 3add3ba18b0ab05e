/** A participant id derived from the model's name that is not taken yet. */
export function uniqueId(name: string, existing: ReadonlySet<string>): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  const id = slug === '' || slug === 'all' || slug === 'system' ? `model-${slug}`.replace(/-$/, '') : slug;
  const names = new Set([...existing].map((each) => each.toLowerCase()));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? id : `${id}-${count}`;
    if (!names.has(candidate)) return candidate;
  }
}
