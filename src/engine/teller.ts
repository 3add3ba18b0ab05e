/** Of which choice, behind how much of its text, and what is new. */
export type Piece = [number, number, string];

const TICK_MS = 40;

/** Gathers what several streams bring and tells it a few times a second: three of them at full speed cost one line each time. */
export function createTeller(tell: (pieces: Piece[]) => void) {
  const waiting = new Map<number, string>();
  const told = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  function add(choice: number, text: string) {
    waiting.set(choice, (waiting.get(choice) ?? '') + text);
    timer ??= setTimeout(flush, TICK_MS).unref();
  }

  function flush() {
    clearTimeout(timer);
    timer = undefined;
    const pieces: Piece[] = [];
    for (const [choice, text] of waiting) {
      // Half a character waits for its other half.
      const whole = /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
      if (whole === '') continue;
      const at = told.get(choice) ?? 0;
      pieces.push([choice, at, whole]);
      told.set(choice, at + whole.length);
      waiting.set(choice, text.slice(whole.length));
    }
    if (pieces.length > 0) tell(pieces);
  }

  return { add, flush };
}
