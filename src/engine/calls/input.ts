import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Chat, Completion, Model } from '../../models/model.ts';
import { type Fitted, fitInput, type Part } from '../../models/prompt/fit.ts';
import { answerRoom, measure } from './measure.ts';

/** An input in pieces, for when not all of it may fit (M10). */
export interface Fitting<Request> {
  readonly parts: readonly Part[];
  /** Makes the request of the pieces that are left. */
  build(parts: readonly Part[]): Request;
}

export interface Input<Request> {
  readonly request: Request;
  readonly promptTokens: number;
  readonly fitted?: Fitted;
}

/** The request, measured, and with what does not fit left out. */
export async function inputOf<Request extends Completion | Chat>(
  model: Model,
  given: Request | Fitting<Request>,
): Promise<Input<Request> | Refusal> {
  const { context } = model.capabilities;
  if (!('parts' in given)) {
    const promptTokens = await measure(model, given);
    if (isRefusal(promptTokens)) return promptTokens;
    const room = context - answerRoom(given, context);
    const isChat = 'messages' in given;
    if (!isChat && given.truncate === undefined && promptTokens > room) return tooLong(promptTokens, room);
    return { request: given, promptTokens };
  }
  const limit = context - answerRoom(given.build(given.parts), context);
  const fitted = await fitInput(given.parts, limit, (parts) => measure(model, given.build(parts)));
  if (isRefusal(fitted)) return fitted;
  return { request: given.build(fitted.parts), promptTokens: fitted.tokens, fitted };
}

function tooLong(promptTokens: number, room: number): Refusal {
  return refuse(
    'context_too_small',
    `The prompt has ${promptTokens} tokens, and beside the answer this model has room for ${Math.max(0, room)}. ` +
      'Shorten it, ask for a shorter answer, or choose a model with a larger context.',
    { promptTokens, limit: room },
  );
}
