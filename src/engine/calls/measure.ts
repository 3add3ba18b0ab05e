import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { type Chat, type Completion, isHole, type Model } from '../../models/model.ts';

/** The most tokens that a chat template adds to each message; below, the token that starts a text. */
const TOKENS_PER_MESSAGE = 8;
const START_TOKENS = 1;
const DEFAULT_ANSWER_TOKENS = 1024;

/** Counts the prompt in the tokens of its model (M10). */
export async function countPromptTokens(model: Model, request: Completion | Chat): Promise<number | Refusal> {
  const isChat = 'messages' in request;
  const text = isChat
    ? request.messages.map(({ content }) => content).join('\n')
    : request.prompt + (request.suffix ?? '');
  const frame = (request.frame ?? []).map((part) => (isHole(part) ? '' : (part.read ?? part.write))).join('');
  const count = await model.countTokens(text + frame);
  if (isRefusal(count)) return count;
  const images = isChat ? request.messages.flatMap((message) => message.images ?? []) : [];
  const imageTokens = images.reduce((sum, { tokens }) => sum + tokens + TOKENS_PER_MESSAGE, 0);
  return count + START_TOKENS + imageTokens + (isChat ? request.messages.length * TOKENS_PER_MESSAGE : 0);
}

export function answerRoom({ maxTokens, frame }: Completion | Chat, context: number): number {
  if (frame) return frame.reduce((sum, part) => sum + (isHole(part) ? part.maxTokens : 0), 0);
  return maxTokens ?? Math.min(DEFAULT_ANSWER_TOKENS, Math.floor(context / 4));
}
