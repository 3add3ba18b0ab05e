/** Parses participant ids from a command line: "alpha, beta" or "@alpha". */
export function parseIds(...texts: readonly (string | undefined)[]): string[] {
  return texts
    .flatMap((text) => (text ?? '').split(/[\s,]+/))
    .map((id) => id.replace(/^@/, ''))
    .filter(Boolean);
}

/** The recipients of an event; without any, it is for everybody. */
export function parseRecipients(text: string | undefined): { readonly to?: string | string[] } {
  const ids = parseIds(text);
  return ids.length === 0 ? {} : { to: ids.length === 1 ? (ids[0] as string) : ids };
}
