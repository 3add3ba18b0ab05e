import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { type Chat, type Completion, isHole, type Model } from '../../models/model.ts';

/** What a chat template puts around each message, at most; and the mark a text begins with. */
const AROUND_A_MESSAGE = 8;
const BEGINNING = 1;
const USUAL_ANSWER = 1024;

/** How long an input is in the tokens of the model that gets it (M10). */
export async function measure(model: Model, request: Completion | Chat): Promise<number | Refusal> {
  const isChat = 'messages' in request;
  const text = isChat
    ? request.messages.map(({ content }) => content).join('\n')
    : request.prompt + (request.suffix ?? '');
  const frame = (request.frame ?? []).map((part) => (isHole(part) ? '' : (part.read ?? part.write))).join('');
  const counted = await model.countTokens(text + frame);
  if (isRefusal(counted)) return counted;
  return counted + BEGINNING + (isChat ? request.messages.length * AROUND_A_MESSAGE : 0);
}

/** What is kept free for the answer. */
export function answerRoom({ maxTokens, frame }: Completion | Chat, context: number): number {
  if (frame) return frame.reduce((sum, part) => sum + (isHole(part) ? part.maxTokens : 0), 0);
  return maxTokens ?? Math.min(USUAL_ANSWER, Math.floor(context / 4));
}
