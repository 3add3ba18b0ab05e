import { isAuditor } from '../../core/threads/audit/audit.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { EventLog } from '../../log/event-log.ts';
import type { Chat } from '../../models/model.ts';
import type { Models } from '../calls/models.ts';
import { askForAnswer, buildAnswerRequest } from './ask.ts';
import { audit } from './audit.ts';
import type { Answerer } from './coordinator.ts';
import { parseAnswer, promptPartsFor, wakingText } from './transcript.ts';

/** The profile's client value for a participant that a registry model runs directly (C5). */
const MODEL_CLIENT = 'model';
const SMALL_ANSWER_TOKENS = 64;

export function createModelAnswerer(log: EventLog, models: Models): Answerer {
  return {
    serves: (participant, { thread }) => getOwn(thread.participants, participant)?.profile.client === MODEL_CLIENT,

    async answer(invocation) {
      if (isAuditor(invocation.state.thread, invocation.participant)) return audit(log, models, invocation);
      return askForAnswer(models, invocation, {
        purpose: 'answer',
        buildRequest: async (current, model) =>
          model.capabilities.label === 'small'
            ? buildSmallRequest(await wakingText(log, current))
            : buildAnswerRequest(await promptPartsFor(log, current, model.capabilities), model),
        read: ({ text }) => ({ value: parseAnswer(text) }),
      });
    },
  };
}

/** A small model cannot follow instructions and has no room for them: it only continues the text. */
function buildSmallRequest(content: string): Chat {
  return { messages: [{ role: 'user', content }], maxTokens: SMALL_ANSWER_TOKENS, truncate: 'left' };
}
