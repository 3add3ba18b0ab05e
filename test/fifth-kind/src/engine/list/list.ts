import { ItemJob, type List } from '../../core/list/list.ts';
import { quote } from '../../models/prompt/quote.ts';
import { askModel } from '../ask/ask.ts';
import type { EngineMode, PerformerParts } from '../engine-mode.ts';
import { createStepPerformer } from '../report/step.ts';
import { openTextStream } from '../streaming/text-stream.ts';

const actor = { id: 'shopper', kind: 'agent' } as const;

export const listEngine: EngineMode<List> = { performers: (parts) => ({ [ItemJob.kind]: createShopper(parts) }) };

/** Asks a model for the next item of a list. */
function createShopper({ models, time }: PerformerParts) {
  return createStepPerformer(models.pendingResults, {
    targetOf: ItemJob.inputOf,
    async begin({ request }, context) {
      const { mode, thread } = await context.state();
      const { items, open } = mode as List;
      if (open?.request !== request) return undefined;
      const model = models.registry.defaultFor('mind');
      const { signal, stopping } = context;
      const retryPolicy = { time, signal, onWait: async () => undefined };
      return {
        actor,
        async work() {
          const [attempt] = await askModel<string>(
            models,
            { thread: thread.id, signal, stopping, retryPolicy },
            {
              buildCall: async () => ({
                ...{ model, purpose: 'mind' as const },
                request: {
                  maxTokens: 50,
                  messages: [
                    { role: 'system', content: 'You continue a list. Answer with its next item and nothing else.' },
                    {
                      role: 'user',
                      content: items.map(({ text }, i) => quote(text, { from: `item ${i + 1}` })).join('\n'),
                    },
                  ],
                },
              }),
              read: ({ text }) => (text.trim() === '' ? { malformed: 'It was empty.' } : { value: text.trim() }),
              openStream: (purpose) =>
                openTextStream(context.sendLive, { job: context.job, from: actor.id, purpose }, models.secrets),
            },
          );
          if (!attempt || attempt.kind === 'cancelled') return undefined;
          if (attempt.kind === 'answered') {
            const { value: text, reply } = attempt;
            const input = { thread: thread.id, request, text, model, blobs: [reply.raw] };
            return { command: { name: 'report_item', input }, isUsable: true };
          }
          const reason = attempt.kind === 'refused' ? attempt.refusal.refusal.message : attempt.output.malformed;
          return {
            command: { name: 'report_failure', input: { thread: thread.id, request, reason } },
            isUsable: false,
          };
        },
      };
    },
  });
}
