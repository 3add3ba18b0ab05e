import { isRefusal } from '../../core/refusal.ts';
import { isAuditor } from '../../core/threads/audit/audit.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { Chat, ChatMessage, Model } from '../../models/model.ts';
import type { PromptPart } from '../../models/prompt/fit.ts';
import { askModel, type ModelQuestion } from '../ask/ask.ts';
import { budgetsIn, type Mistake } from '../ask/outcome.ts';
import { giveUpReason } from '../ask/retry.ts';
import type { FittableRequest } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { AgentAnswer, FinalAnswer, Invocation } from './coordinator.ts';
import { usageFor } from './usage.ts';

const MAX_ANSWER_TOKENS = 1024;

interface AnswerQuestion {
  readonly purpose: 'answer' | 'auditor';
  buildRequest(current: Invocation, model: Model, mistake: Mistake | undefined): Promise<Chat | FittableRequest<Chat>>;
  readonly read: ModelQuestion<FinalAnswer>['read'];
}

/** Asks the model of a participant for an answer. Settings and messages may change while it waits (T31). */
export async function askForAnswer(
  models: Models,
  invocation: Invocation,
  { purpose, buildRequest, read }: AnswerQuestion,
): Promise<AgentAnswer> {
  const { registry } = models;
  let name = '';
  const attempts = await askModel<FinalAnswer>(models, invocation, {
    async buildCall(mistake) {
      const current = await invocation.refresh();
      if (!current) return undefined;
      const { thread } = current.state;
      if (isAuditor(thread, current.participant) !== (purpose === 'auditor')) return undefined;
      const { profile } = getOwn(thread.participants, current.participant) ?? {};
      name = profile?.model ?? registry.defaultFor(purpose === 'auditor' ? 'auditor' : 'mind');
      const model = await registry.open(name);
      if (isRefusal(model)) return model;
      const request = await buildRequest(current, model, mistake);
      return { model: name, purpose, budgets: budgetsIn(thread), request };
    },
    read,
    openStream: invocation.openStream,
  });
  const [first] = attempts;
  const last = attempts.at(-1);
  if (!first || !last || last.kind === 'cancelled') return { outcome: 'cancelled' };
  if (last.kind === 'refused') {
    const { prompt, generated } = last.usage;
    const before = first.kind === 'malformed' ? usageFor(name, first.usage, first.reply) : {};
    const usage = { ...before, ...usageFor(name, last.usage, last.refusal) };
    const reason = giveUpReason(last.refusal, 'An agent', 'ask it to reply again later.');
    return { outcome: 'failed', reason, ...(prompt + generated > 0 && { usage }), ...invocation.takePartial() };
  }
  const usage = usageFor(name, last.usage, last.reply);
  if (last.kind === 'answered') return { ...last.value, usage };
  if (invocation.signal.aborted) return { outcome: 'cancelled' };
  return { outcome: 'failed', reason: last.output.malformed, usage };
}

/** Sends the first part as instructions and the others as data; drops the oldest when not all fit (M10). */
export function buildAnswerRequest(
  parts: readonly PromptPart[],
  { capabilities: { context } }: Model,
  {
    maxTokens = MAX_ANSWER_TOKENS,
    more = [],
  }: { readonly maxTokens?: number; readonly more?: readonly ChatMessage[] } = {},
): FittableRequest<Chat> {
  return {
    parts,
    build: ([first, ...rest]) => ({
      maxTokens: Math.min(maxTokens, Math.floor(context / 4)),
      messages: [
        { role: 'system', content: first?.text ?? '' },
        { role: 'user', content: rest.map(({ text }) => text).join('\n\n'), ...imagesOf(rest) },
        ...more,
      ],
    }),
  };
}

function imagesOf(parts: readonly PromptPart[]): Pick<ChatMessage, 'images'> {
  const images = parts.flatMap((part) => ('images' in part && part.images) || []);
  return images.length > 0 ? { images } : {};
}
