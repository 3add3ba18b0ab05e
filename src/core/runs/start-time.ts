/** When something began, as an event tells that came later: a clock set back must not put it into the future (L26). */
export function clampStartTime(startedAt: string, observedAt: string): string {
  return observedAt < startedAt ? observedAt : startedAt;
}
