import type { Job } from '../../core/decider.ts';
import { type Actor, SYSTEM } from '../../core/events/event.ts';
import { GenerationStreamed } from '../../core/loom/events.ts';
import { findOpenGeneration, promptNodes, promptSuffix } from '../../core/loom/generation/prompt.ts';
import { GenerateJob } from '../../core/loom/jobs.ts';
import type { LoomState, OpenGeneration } from '../../core/loom/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { realTime, type Time } from '../../models/resilience/time.ts';
import { budgetsIn } from '../ask/outcome.ts';
import { createWaitLimit, type RetryPolicy, reportWait } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import { report } from '../report/report.ts';
import { createTextBatcher } from '../streaming/batcher.ts';
import { ask, type LoomPart, stoppedOutcome } from './ask.ts';
import type { LoomCompletion } from './result.ts';

const SAME_WAIT_MS = 2_000;

type GenerationReport = Extract<Command, { name: 'report_generation' | 'report_failure' }>;

/** Runs a generation: uses the request as it was made, streams live, reports once (W16, W17). */
export function createGenerate(
  models: Models,
  isReserved: (id: string) => boolean = () => false,
  time: Time = realTime,
): PerformJob<State, Command> {
  return async (job: Job, context: JobContext<State, Command>) => {
    const { generation = '' } = GenerateJob.inputOf(job) ?? {};
    const loom = modeState('loom', await context.state());
    const open = loom && findOpenGeneration(loom, generation);
    if (!loom || !open) return;
    const name = `${context.thread}/${job.key}`;
    const finishedParts = await models.pendingResults.find<LoomPart>(name, open.request.n);
    const finishedNumbers = finishedParts.map(([number]) => number);
    const model = finishedParts[0]?.[1].model ?? open.request.model ?? models.registry.defaultFor('loom');
    const batcher = createTextBatcher(
      (texts) => context.sendLive(GenerationStreamed.of(context.thread, { generation, texts })),
      models.secrets,
    );
    const reportCompletion = async (completion: LoomCompletion, parts: readonly number[]) => {
      const command = buildCommand(context.thread, generation, completion);
      const actor = finishedNumbers.length === 0 && open.stopping ? SYSTEM : authorOf(model, completion, isReserved);
      const result = { actor, id: `${generation}/${command.name}`, command };
      const allNumbers = [...new Set([...finishedNumbers, ...parts])];
      await report(context, result, { pendingResults: models.pendingResults, job: job.key, parts: allNumbers });
    };
    // A part that held a secret may not be stored: report its refusal, as would have happened without a restart.
    const refusedPart = finishedParts.find(([, part]) => part.refused)?.[1];
    if (refusedPart?.refused) {
      return reportCompletion(
        { refusal: refusedPart.refused, ...(refusedPart.called && { raw: refusedPart.called.raw }) },
        [],
      );
    }
    if (open.stopping) return reportCompletion(stoppedOutcome(model, new Map(finishedParts)).completion, []);
    const { completion, isComplete, parts } = await ask(models, model, buildLoomRequest(loom, open), {
      thread: context.thread,
      signal: context.signal,
      stopping: context.stopping,
      budgets: async () => budgetsIn((await context.state()).thread),
      retryPolicy: retryPolicyFor(context, open, modelAuthorId(model, isReserved), time),
      onToken: batcher.push,
      finishedParts: new Map(finishedParts),
      savePart: (number, part) => models.pendingResults.save(name, number, part, context.stopping),
    });
    batcher.end();
    // Cancelled because this server stops or another has the lease: the next server with this job asks for the rest.
    if (context.signal.aborted && !context.isUnwanted() && !isComplete) return;
    await reportCompletion(completion, parts);
  };
}

/** Calls of one generation that wait until about the same time report one wait. An exploration waits as a run does. */
function retryPolicyFor(
  context: JobContext<State, Command>,
  { request, waiting }: OpenGeneration,
  id: string,
  time: Time,
): RetryPolicy {
  const { generation, exploration } = request;
  let reportedUntil = 0;
  return {
    ...{ time, signal: context.signal },
    ...(exploration === undefined && { remainingMs: createWaitLimit(time, context.now, waiting?.since) }),
    async onWait(refusal, ms) {
      const until = context.now() + ms;
      if (until <= reportedUntil + SAME_WAIT_MS) return ms;
      reportedUntil = until;
      return reportWait(context, { id, kind: 'agent' }, refusal, ms, (facts) => ({
        name: 'report_wait',
        input: { generation, ...facts },
      }));
    },
  };
}

function buildLoomRequest(loom: LoomState, open: OpenGeneration) {
  const { request } = open;
  return {
    request,
    nodes: promptNodes(loom, open),
    ...(request.fill && { suffix: promptSuffix(loom, open) }),
  };
}

function buildCommand(thread: string, generation: string, completion: LoomCompletion): GenerationReport {
  if (!('refusal' in completion)) return { name: 'report_generation', input: { thread, generation, ...completion } };
  const { refusal, raw } = completion;
  const fault = { thread, generation, code: refusal.code, message: refusal.message };
  return { name: 'report_failure', input: { ...fault, ...(raw !== undefined && { raw }) } };
}

/**
 * A model writes under its own id: its name in the settings, spelled as an id, and never the id of a credential holder.
 * A name that belongs to no model is only part of a request, and nothing is written under it (T22).
 */
function authorOf(model: string, completion: LoomCompletion, isReserved: (id: string) => boolean): Actor {
  if ('refusal' in completion && completion.refusal.code === 'unknown_model') return SYSTEM;
  return { id: modelAuthorId(model, isReserved), kind: 'agent' };
}

function modelAuthorId(model: string, isReserved: (id: string) => boolean): string {
  const id = model.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  return id === 'all' || id === 'system' || isReserved(id) ? `model-${id}` : id;
}
