/** Participants as they are written on a command line: "alpha, beta" or "@alpha". */
export function parseIds(...texts: readonly (string | undefined)[]): string[] {
  return texts
    .flatMap((text) => (text ?? '').split(/[\s,]+/))
    .map((id) => id.replace(/^@/, ''))
    .filter(Boolean);
}
