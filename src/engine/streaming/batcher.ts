import type { Secrets } from '../secrets.ts';

/** Of which choice, behind how much of its text, and what is new. */
export type Piece = [number, number, string];

const TICK_MS = 40;

/**
 * Gathers what several streams bring and tells it a few times a second: three of them at full speed cost one line each
 * time. No secret is told, not even one that comes in two pieces (L17).
 */
export function createTeller(tell: (pieces: Piece[]) => void, secrets: Secrets) {
  const waiting = new Map<number, string>();
  const told = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  function add(choice: number, text: string) {
    waiting.set(choice, (waiting.get(choice) ?? '') + text);
    timer ??= setTimeout(() => flush(), TICK_MS).unref();
  }

  function flush(isOver = false) {
    clearTimeout(timer);
    timer = undefined;
    const pieces: Piece[] = [];
    for (const [choice, text] of waiting) {
      const ready = isOver ? text : text.slice(0, text.length - secrets.heldBack(text));
      // Half a character waits for its other half.
      const whole = /[\ud800-\udbff]$/.test(ready) ? ready.slice(0, -1) : ready;
      if (whole === '') continue;
      const shown = secrets.remove(whole);
      const at = told.get(choice) ?? 0;
      pieces.push([choice, at, shown]);
      told.set(choice, at + shown.length);
      waiting.set(choice, text.slice(whole.length));
    }
    if (pieces.length > 0) tell(pieces);
  }

  return { add, end: () => flush(true) };
}
