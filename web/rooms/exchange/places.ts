/** The target of an exchange URL, after the hash. */
export type ExchangePlace =
  | { readonly kind: 'round' | 'audit' | 'thought'; readonly number: number }
  | { readonly kind: 'terms'; readonly version: number | undefined }
  | { readonly kind: 'compare'; readonly other: string };

export function parsePlace(fragment: string | undefined): ExchangePlace | undefined {
  const [, kind, value = ''] = /^(\w+)(?:\.([\w.-]+))?$/.exec(fragment ?? '') ?? [];
  const number = Number(value);
  if (kind === 'terms') return { kind, version: number > 0 ? number : undefined };
  if (kind === 'compare') return value === '' ? undefined : { kind, other: value };
  if (kind !== 'round' && kind !== 'audit' && kind !== 'thought') return undefined;
  return Number.isInteger(number) && number > 0 ? { kind, number } : undefined;
}

export function exchangePath(thread: string, place: string): string {
  return `/exchange/${encodeURIComponent(thread)}#${place}`;
}
