import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { isAuditor } from '../../core/threads/audit/audit.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Chat } from '../../models/model.ts';
import type { PromptPart } from '../../models/prompt/fit.ts';
import { budgetsIn } from '../ask/outcome.ts';
import { askWithRetry } from '../ask/retry.ts';
import type { CallReply, FittableRequest } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import { audit } from './audit.ts';
import { type Answerer, failureReason, type Invocation } from './coordinator.ts';
import { parseAnswer, promptPartsFor, wakingText } from './transcript.ts';
import { failedCallUsage, usageFor } from './usage.ts';

/** The profile's client value for a participant that a registry model runs directly (C5). */
const MODEL_CLIENT = 'model';
const MAX_ANSWER_TOKENS = 1024;
const SMALL_ANSWER_TOKENS = 64;

/** Answers by asking a model of the registry. */
export function createModelAnswerer(log: EventLog, models: Models): Answerer {
  const { calls, registry } = models;
  return {
    serves: (participant, { thread }) => getOwn(thread.participants, participant)?.profile.client === MODEL_CLIENT,

    async answer(invocation) {
      if (isAuditor(invocation.state.thread, invocation.participant)) return audit(log, models, invocation);
      let model = '';
      const ask = async () => {
        const current = await invocation.refresh();
        if (!current || isAuditor(current.state.thread, current.participant)) return undefined;
        model =
          getOwn(current.state.thread.participants, current.participant)?.profile.model ?? registry.defaultFor('mind');
        return askModel(model, current);
      };
      const { reply, wastedUsage } = await askWithRetry(ask, invocation.retryPolicy, calls.recoveries);
      if (!reply) return { outcome: 'cancelled' };
      if (isRefusal(reply)) {
        return { outcome: 'failed', reason: failureReason(reply), ...failedCallUsage(model, wastedUsage, reply) };
      }
      const [choice] = reply.choices;
      if (!choice || choice.reason === 'cancelled') return { outcome: 'cancelled' };
      return parseAnswer(choice.text, usageFor(model, wastedUsage, reply));
    },
  };

  async function askModel(model: string, invocation: Invocation): Promise<CallReply | Refusal> {
    const { state, thread, signal, stopping } = invocation;
    const openedModel = await registry.open(model);
    if (isRefusal(openedModel)) return openedModel;
    const { label, context } = openedModel.capabilities;
    const request =
      label === 'small'
        ? buildSmallRequest(await wakingText(log, invocation))
        : buildRequest(await promptPartsFor(log, invocation), context);
    return calls.chat(request, {
      model,
      purpose: 'answer',
      thread,
      budgets: budgetsIn(state.thread),
      ...{ signal, stopping, isPatient: true },
      openStream: () => invocation.openStream('answer'),
    });
  }
}

/** A small model cannot follow instructions and has no room for them: it only continues the text. */
function buildSmallRequest(content: string): Chat {
  return { messages: [{ role: 'user', content }], maxTokens: SMALL_ANSWER_TOKENS, truncate: 'left' };
}

/** Drops the oldest parts when not all fit (M10). */
function buildRequest(parts: readonly PromptPart[], context: number): FittableRequest<Chat> {
  const maxTokens = Math.min(MAX_ANSWER_TOKENS, Math.floor(context / 4));
  return {
    parts,
    build: ([first, ...rest]) => ({
      maxTokens,
      messages: [
        { role: 'system', content: first?.text ?? '' },
        { role: 'user', content: rest.map(({ text }) => text).join('\n\n') },
      ],
    }),
  };
}
