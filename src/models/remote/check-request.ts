import { type Refusal, refuse } from '../../core/refusal.ts';
import { isIntegerBetween } from '../../core/util/integers.ts';
import type { Capabilities, Chat, Chunk, Completion } from '../model.ts';

/** Refuses a request that exceeds a model's declared capabilities, before anything is sent. */
export function findRequestProblem(request: Completion | Chat, capabilities: Capabilities): Refusal | undefined {
  const { n = 1, logprobs = 0, maxTokens = 1, stop = [], frame } = request;
  const suffix = 'suffix' in request ? request.suffix : undefined;
  if (frame !== undefined) return refuse('malformed', 'This model cannot fill a frame: leave out "frame".');
  if (suffix !== undefined && !capabilities.fillInTheMiddle) {
    return refuse('malformed', 'This model does not fill in the middle: leave out "suffix".');
  }
  if (!isIntegerBetween(n, 1, capabilities.n))
    return refuse('malformed', `"n" is ${n}: it can be 1 to ${capabilities.n}.`);
  if (!isIntegerBetween(logprobs, 0, capabilities.logprobs)) {
    return refuse('malformed', `"logprobs" is ${logprobs}: it can be 0 to ${capabilities.logprobs}.`);
  }
  if (!isIntegerBetween(maxTokens, 1, capabilities.context)) {
    return refuse('malformed', `"maxTokens" is ${maxTokens}: it can be 1 to ${capabilities.context}.`);
  }
  if (stop.includes('')) return refuse('malformed', 'A stop text is empty: it would stop before the first word.');
  const texts = 'prompt' in request ? [request.prompt, suffix ?? ''] : request.messages.map(({ content }) => content);
  if (texts.every((text) => text.isWellFormed())) return undefined;
  return refuse('unacceptable_text', 'The prompt contains half a character (a lone surrogate): remove it.');
}

export async function* refusedStream({ refusal }: Refusal): AsyncGenerator<Chunk> {
  yield { type: 'refused', refusal };
}
