/** When something began, as an event tells that came later: a clock set back must not put it into the future (L26). */
export function beganBy(since: string, later: string): string {
  return later < since ? later : since;
}
