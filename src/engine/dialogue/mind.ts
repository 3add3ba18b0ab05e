import { randomInt } from 'node:crypto';
import { IterateJob } from '../../core/dialogue/jobs.ts';
import { buildMindInput } from '../../core/dialogue/runs/mind-input.ts';
import type { Actor } from '../../core/events/event.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { modeState } from '../../core/workspace.ts';
import { sha256 } from '../../log/seal.ts';
import type { Time } from '../../models/resilience/time.ts';
import { createModelStep } from '../ask/model-step.ts';
import { prepareFiles } from '../attachments/show.ts';
import type { Models } from '../calls/models.ts';
import { createStepPerformer } from '../report/step.ts';
import { PROMPT } from './prompts/prompts.ts';
import { mindQuestion, textsWithFiles } from './request.ts';

/** One iteration of a mind: draw, show, ask, read, record (D3). */
export function createMind(models: Models, time: Time) {
  return createStepPerformer(models.pendingResults, {
    targetOf: IterateJob.inputOf,
    async begin(target, context) {
      const state = await context.state();
      const dialogue = modeState('dialogue', state);
      const openTurn = dialogue?.open;
      if (!dialogue?.run || openTurn?.turn !== target.turn) return undefined;
      const { self, model, temperature } = dialogue.config;
      const prompt = dialogue.config.prompt ?? PROMPT;
      const actor: Actor = { id: self, kind: 'agent' };
      const seed = randomInt(2 ** 31);
      const user = sanitizeLine(getOwn(state.thread.participants, openTurn.by)?.profile.nickname ?? openTurn.by, 64);
      const input = buildMindInput(dialogue, openTurn, {
        seed,
        userTime: localTime(Date.now()),
        user,
        engagement: dialogue.engagement,
      });
      const lists = textsWithFiles(input).map(({ attachments = [] }) => attachments);
      const showFiles = lists.some((list) => list.length > 0) ? await prepareFiles(models.files, lists) : undefined;
      return createModelStep(models, time, context, {
        ...{ actor, purpose: 'mind' as const, model, seed, run: dialogue.run },
        question: mindQuestion(prompt, input, temperature, showFiles),
        wait: {
          actor,
          currentRun: (current) => modeState('dialogue', current)?.run,
          buildCommand: (facts) => ({ name: 'report_wait', input: { run: target.run, ...facts } }),
        },
        buildReport: (facts) => ({ name: 'report_iteration', input: { ...target, prompt: sha256(prompt), ...facts } }),
      });
    },
  });
}

/** The mind's local time, with its UTC offset. */
function localTime(ms: number): string {
  const offset = -new Date(ms).getTimezoneOffset();
  const local = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((n) =>
    String(n).padStart(2, '0'),
  );
  return `${local}${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
}
