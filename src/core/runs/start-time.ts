/**
 * The start time as observed by a later event: a clock that was set back must not put the start in the future (L26).
 */
export function clampStartTime(startedAt: string, observedAt: string): string {
  return observedAt < startedAt ? observedAt : startedAt;
}
