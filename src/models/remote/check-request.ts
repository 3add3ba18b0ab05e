import { type Refusal, refuse } from '../../core/refusal.ts';
import type { Capabilities, Chat, Chunk, Completion } from '../model.ts';

/** A request that asks for more than a model is declared to do is refused here, before anything is sent. */
export function problemWith(request: Completion | Chat, can: Capabilities): Refusal | undefined {
  const { n = 1, logprobs = 0, maxTokens = 1, stop = [], frame } = request;
  const suffix = 'suffix' in request ? request.suffix : undefined;
  if (frame !== undefined) return refuse('malformed', 'This model cannot fill a frame: leave out "frame".');
  if (suffix !== undefined && !can.fillInTheMiddle) {
    return refuse('malformed', 'This model does not fill in the middle: leave out "suffix".');
  }
  if (!isWhole(n, 1, can.n)) return refuse('malformed', `"n" is ${n}: it can be 1 to ${can.n}.`);
  if (!isWhole(logprobs, 0, can.logprobs)) {
    return refuse('malformed', `"logprobs" is ${logprobs}: it can be 0 to ${can.logprobs}.`);
  }
  if (!isWhole(maxTokens, 1, can.context)) {
    return refuse('malformed', `"maxTokens" is ${maxTokens}: it can be 1 to ${can.context}.`);
  }
  if (stop.includes('')) return refuse('malformed', 'A stop text is empty: it would stop before the first word.');
  const texts = 'prompt' in request ? [request.prompt, suffix ?? ''] : request.messages.map(({ content }) => content);
  if (texts.every((text) => text.isWellFormed())) return undefined;
  return refuse('unacceptable_text', 'The prompt has half a character (a lone surrogate) in it: remove it.');
}

export async function* refusedWith({ refusal }: Refusal): AsyncGenerator<Chunk> {
  yield { type: 'refused', refusal };
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most;
}
