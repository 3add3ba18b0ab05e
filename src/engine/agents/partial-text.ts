import type { Chunk } from '../../models/model.ts';
import type { Secrets } from '../secrets.ts';
import type { TextStream } from '../streaming/text-stream.ts';

const MAX_CHARS = 60_000;

export type PartialText = ReturnType<typeof createPartialText>;

/** Keeps what a model writes until its answer is complete, so that a cut connection loses no words (T18). */
export function createPartialText(secrets: Secrets) {
  let text = '';

  function add(chunk: Chunk): void {
    if (chunk.type === 'text' && chunk.choice === 0 && text.length < MAX_CHARS) text += chunk.text;
  }

  return {
    /** The text begins anew with each call. */
    watch(stream: TextStream): TextStream {
      text = '';
      return {
        onChunk(chunk) {
          add(chunk);
          stream.onChunk(chunk);
        },
        end: stream.end,
      };
    },
    take(): { readonly partial?: string } {
      const whole = text.slice(0, MAX_CHARS);
      text = '';
      // No secret is stored, not even the beginning of one (L17).
      const safe = whole.slice(0, whole.length - secrets.partialSecretLength(whole));
      const partial = secrets.remove(safe).toWellFormed().trim();
      return partial === '' ? {} : { partial };
    },
  };
}
