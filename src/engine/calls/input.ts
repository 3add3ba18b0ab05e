import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Chat, Completion, Model } from '../../models/model.ts';
import { type FittedPrompt, fitInput, type PromptPart } from '../../models/prompt/fit.ts';
import { answerRoom, countPromptTokens } from './measure.ts';

/** A request in parts, so that parts can be dropped when not all fit (M10). */
export interface FittableRequest<Request> {
  readonly parts: readonly PromptPart[];
  build(parts: readonly PromptPart[]): Request;
}

export interface MeasuredRequest<Request> {
  readonly request: Request;
  readonly promptTokens: number;
  readonly fitted?: FittedPrompt;
}

export async function measureRequest<Request extends Completion | Chat>(
  model: Model,
  source: Request | FittableRequest<Request>,
): Promise<MeasuredRequest<Request> | Refusal> {
  const { context } = model.capabilities;
  if (!('parts' in source)) {
    const promptTokens = await countPromptTokens(model, source);
    if (isRefusal(promptTokens)) return promptTokens;
    const room = context - answerRoom(source, context);
    const isChat = 'messages' in source;
    if (!isChat && source.truncate === undefined && promptTokens > room) return promptTooLong(promptTokens, room);
    return { request: source, promptTokens };
  }
  const limit = context - answerRoom(source.build(source.parts), context);
  const fitted = await fitInput(source.parts, limit, (parts) => countPromptTokens(model, source.build(parts)));
  if (isRefusal(fitted)) return fitted;
  return { request: source.build(fitted.parts), promptTokens: fitted.tokens, fitted };
}

function promptTooLong(promptTokens: number, room: number): Refusal {
  return refuse(
    'context_too_small',
    `The prompt has ${promptTokens} tokens, and beside the answer this model has room for ${Math.max(0, room)}. ` +
      'Shorten it, ask for a shorter answer, or choose a model with a larger context.',
    { promptTokens, limit: room },
  );
}
