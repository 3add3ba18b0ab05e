/** Participants as they are written on a command line: "alpha, beta" or "@alpha". */
export function idsIn(...texts: readonly (string | undefined)[]): string[] {
  return texts
    .flatMap((text) => (text ?? '').split(/[\s,]+/))
    .map((id) => id.replace(/^@/, ''))
    .filter(Boolean);
}
