/** What the address of an exchange points at, behind its hash. */
export type Place =
  | { readonly kind: 'round' | 'audit' | 'thought'; readonly number: number }
  | { readonly kind: 'terms'; readonly version: number | undefined }
  | { readonly kind: 'compare'; readonly other: string };

export function placeIn(at: string | undefined): Place | undefined {
  const [, kind, rest = ''] = /^(\w+)(?:\.([\w.-]+))?$/.exec(at ?? '') ?? [];
  const number = Number(rest);
  if (kind === 'terms') return { kind, version: number > 0 ? number : undefined };
  if (kind === 'compare') return rest === '' ? undefined : { kind, other: rest };
  if (kind !== 'round' && kind !== 'audit' && kind !== 'thought') return undefined;
  return Number.isInteger(number) && number > 0 ? { kind, number } : undefined;
}

export function pathIn(thread: string, place: string): string {
  return `/exchange/${encodeURIComponent(thread)}#${place}`;
}
