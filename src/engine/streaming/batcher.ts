import type { Secrets } from '../secrets.ts';

/** The choice, the offset in its text, and the new text. */
export type TextDelta = [number, number, string];

const TICK_MS = 40;

/**
 * Collects text from several streams and sends it a few times a second: three streams at full speed cost one line each
 * time. No secret is sent, not even one that arrives in two pieces (L17).
 */
export function createTextBatcher(send: (deltas: TextDelta[]) => void, secrets: Secrets) {
  const pendingText = new Map<number, string>();
  const sentLengths = new Map<number, number>();
  let timer: NodeJS.Timeout | undefined;

  function push(choice: number, text: string) {
    pendingText.set(choice, (pendingText.get(choice) ?? '') + text);
    timer ??= setTimeout(() => flush(), TICK_MS).unref();
  }

  function flush(isEnd = false) {
    clearTimeout(timer);
    timer = undefined;
    const deltas: TextDelta[] = [];
    for (const [choice, text] of pendingText) {
      const ready = isEnd ? text : text.slice(0, text.length - secrets.partialSecretLength(text));
      // Half of a surrogate pair waits for its other half.
      const complete = /[\ud800-\udbff]$/.test(ready) ? ready.slice(0, -1) : ready;
      if (complete === '') continue;
      const safeText = secrets.remove(complete);
      const offset = sentLengths.get(choice) ?? 0;
      deltas.push([choice, offset, safeText]);
      sentLengths.set(choice, offset + safeText.length);
      pendingText.set(choice, text.slice(complete.length));
    }
    if (deltas.length > 0) send(deltas);
  }

  return { push, end: () => flush(true) };
}
