import type { Job } from '../core/decider.ts';
import { modeOf } from '../core/modes.ts';
import { AnswerJob } from '../core/threads/jobs.ts';
import type { Command, State } from '../core/workspace.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Embedder } from '../models/embedder.ts';
import { realTime, type Time } from '../models/resilience/time.ts';
import { createCommandAnswerer, type ProgramsPlace } from './agents/command.ts';
import { createCoordinator } from './agents/coordinator.ts';
import { createModelAnswerer } from './agents/model.ts';
import type { Models } from './calls/models.ts';
import { credentialHoldersOf } from './credentials.ts';
import type { EngineParts } from './engine.ts';
import type { PerformerParts } from './engine-mode.ts';
import { type PerformJob, SETTLE_PENDING } from './jobs.ts';
import { engineModes } from './modes.ts';
import { createPendingSettler } from './report/report.ts';

export function createPerformers(
  log: EventLog,
  models: Models,
  embedder: Embedder,
  /** Working directory of command-line agents; without it, none runs. */
  agents?: ProgramsPlace,
  time: Time = realTime,
): Required<Pick<EngineParts, 'performers' | 'accepts' | 'serves'>> {
  const answerers = [
    createModelAnswerer(log, models),
    ...(agents === undefined ? [] : [createCommandAnswerer({ log, models, place: agents })]),
  ];
  const coordinator = createCoordinator(answerers, models, time);
  const holders = credentialHoldersOf(log);
  const isPerson = (id: string | undefined) => id !== undefined && holders.kindOf(id) === 'human';
  const parts: PerformerParts = { models, embedder, time, isHeld: (id) => holders.kindOf(id) !== undefined };
  const performers: Readonly<Record<string, PerformJob<State, Command>>> = Object.assign(
    { [AnswerJob.kind]: coordinator.perform },
    ...Object.values(engineModes).map((mode) => mode.performers(parts)),
  );

  /** Nothing runs under a person's id, even if the log asks for it (T22). */
  function accepts(job: Job, state: State): boolean {
    return !isPerson(writerOf(job, state)) && coordinator.accepts(job, state);
  }

  const settle = createPendingSettler(models.pendingResults, isPerson);
  const settlePending: PerformJob<State, Command> = async (job, context) => {
    await holders.refresh();
    await settle(job, context);
  };

  /** Checks again right before the job starts: a person may have joined through another server. */
  function unlessPerson(perform: PerformJob<State, Command>): PerformJob<State, Command> {
    return async (job, context) => {
      await holders.refresh();
      if (!isPerson(writerOf(job, await context.state()))) await perform(job, context);
    };
  }

  const guarded = Object.entries(performers).map(([kind, perform]) => [kind, unlessPerson(perform)] as const);
  return {
    performers: { ...Object.fromEntries(guarded), [SETTLE_PENDING]: settlePending },
    accepts,
    serves: (participant, state) => !isPerson(participant) && coordinator.serves(participant, state),
  };
}

/** The participant id that writes a job's result, if the thread determines one. */
function writerOf(job: Job, { thread, mode }: State): string | undefined {
  return AnswerJob.inputOf(job)?.participant ?? modeOf(thread.kind)?.writerOf?.(mode, job);
}
