import { randomInt } from 'node:crypto';
import { IterateJob } from '../../core/dialogue/jobs.ts';
import { buildMindInput } from '../../core/dialogue/runs/mind-input.ts';
import type { Actor } from '../../core/events/event.ts';
import { sanitizeLine } from '../../core/text/sanitize.ts';
import { getOwn } from '../../core/util/get-own.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { sha256 } from '../../log/seal.ts';
import type { Time } from '../../models/resilience/time.ts';
import { askModel } from '../ask/ask.ts';
import { isUsable } from '../ask/outcome.ts';
import { createRunWaitReporter } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { PerformJob } from '../jobs.ts';
import { report, reportPending } from '../report/report.ts';
import { PROMPT } from './prompts/prompts.ts';
import { mindQuestion } from './request.ts';

/** One iteration of a mind: draw, show, ask, read, record (D3). */
export function createMind(models: Models, time: Time): PerformJob<State, Command> {
  return async (job, context) => {
    const target = IterateJob.inputOf(job);
    const slot = { pendingResults: models.pendingResults, job: job.key };
    if (!target || (await reportPending(context, slot))) return;
    const state = await context.state();
    const dialogue = modeState('dialogue', state);
    const openTurn = dialogue?.open;
    if (!dialogue?.run || openTurn?.turn !== target.turn) return;
    const actor: Actor = { id: dialogue.config.self, kind: 'agent' };
    const seed = randomInt(2 ** 31);
    const user = sanitizeLine(getOwn(state.thread.participants, openTurn.by)?.profile.nickname ?? openTurn.by, 64);
    const input = buildMindInput(dialogue, openTurn, {
      seed,
      userTime: localTime(Date.now()),
      user,
      engagement: dialogue.engagement,
    });
    await context.setPresence(actor, 'thinking');
    try {
      const { signal } = context;
      const onWait = createRunWaitReporter(
        context,
        actor,
        (current) => modeState('dialogue', current)?.run,
        (facts) => ({
          name: 'report_wait',
          input: { run: target.run, ...facts },
        }),
      );
      const retryPolicy = { time, signal, onWait };
      const { self, model, temperature } = dialogue.config;
      const prompt = dialogue.config.prompt ?? PROMPT;
      const { budget, resumed, run } = dialogue.run;
      const question = {
        ...mindQuestion(prompt, input, temperature),
        ...{ purpose: 'mind' as const, model, seed, budget, run: `${run}.${resumed}`, from: self, job: job.key },
      };
      const outcome = await askModel(models, context, question, retryPolicy);
      // Cancelled because this server stops or another took over: the job runs again.
      if (outcome === undefined || (signal.aborted && !context.isUnwanted() && !isUsable(outcome))) return;
      const facts = { thread: context.thread, ...target, seed, prompt: sha256(prompt), ...outcome };
      await report(
        context,
        { actor, id: `${context.thread}/${job.key}`, command: { name: 'report_iteration', input: facts } },
        slot,
      );
    } finally {
      await context.setPresence(actor, 'listening');
    }
  };
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
