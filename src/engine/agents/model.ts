import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { isAuditor } from '../../core/threads/audit/audit.ts';
import { own } from '../../core/util/get-own.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Chat } from '../../models/model.ts';
import type { Part } from '../../models/prompt/fit.ts';
import { budgetsIn } from '../ask/outcome.ts';
import { askPatiently } from '../ask/retry.ts';
import type { Called, Fitting } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import { audit } from './audit.ts';
import { type Answerer, type Asked, whyFailed } from './coordinator.ts';
import { outcomeOf, partsOf, spokenTo } from './transcript.ts';
import { usageFor, usageLost } from './usage.ts';

/** In a profile, the client that means: served by the registry's model itself (C5). */
const CLIENT = 'model';
const LONGEST_ANSWER_TOKENS = 1024;
const SMALL_ANSWER_TOKENS = 64;

/** Answers by asking a model of the registry. */
export function createByModel(log: EventLog, models: Models): Answerer {
  const { calls, registry } = models;
  return {
    serves: (participant, { thread }) => own(thread.participants, participant)?.profile.client === CLIENT,

    async answer(asked) {
      if (isAuditor(asked.state.thread, asked.participant)) return audit(log, models, asked);
      let model = '';
      const ask = async () => {
        const now = await asked.renew();
        if (!now || isAuditor(now.state.thread, now.participant)) return undefined;
        model = own(now.state.thread.participants, now.participant)?.profile.model ?? registry.defaultFor('mind');
        return askModel(model, now);
      };
      const { called, wasted } = await askPatiently(ask, asked.patience, calls.recoveries);
      if (!called) return { outcome: 'cancelled' };
      if (isRefusal(called)) {
        return { outcome: 'failed', reason: whyFailed(called), ...usageLost(model, wasted, called) };
      }
      const [choice] = called.choices;
      if (!choice || choice.reason === 'cancelled') return { outcome: 'cancelled' };
      return outcomeOf(choice.text, usageFor(model, wasted, called));
    },
  };

  async function askModel(model: string, asked: Asked): Promise<Called | Refusal> {
    const { state, thread, signal, stopping } = asked;
    const opened = await registry.open(model);
    if (isRefusal(opened)) return opened;
    const { label, context } = opened.capabilities;
    const request =
      label === 'small' ? smallRequest(await spokenTo(log, asked)) : requestOf(await partsOf(log, asked), context);
    return calls.chat(request, {
      model,
      purpose: 'answer',
      thread,
      budgets: budgetsIn(state.thread),
      ...{ signal, stopping, isPatient: true },
      openStream: () => asked.openStream('answer'),
    });
  }
}

/** A small model follows no instructions and has no room for them: it goes on from what it was told. */
function smallRequest(content: string): Chat {
  return { messages: [{ role: 'user', content }], maxTokens: SMALL_ANSWER_TOKENS, truncate: 'left' };
}

/** The oldest of it goes first where not all fits (M10). */
function requestOf(parts: readonly Part[], context: number): Fitting<Chat> {
  const maxTokens = Math.min(LONGEST_ANSWER_TOKENS, Math.floor(context / 4));
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
