import type { Job } from '../../core/decider.ts';
import { type Actor, SYSTEM } from '../../core/events/event.ts';
import { openGeneration, promptOf, suffixOf } from '../../core/loom/generation/prompt.ts';
import type { LoomState, OpenGeneration } from '../../core/loom/state.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { realTime, type Time } from '../../models/resilience/time.ts';
import { budgetsIn } from '../ask/outcome.ts';
import { limitWaiting, type Patience, reportWait } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { Perform, Work } from '../jobs.ts';
import { report } from '../report/report.ts';
import { createTeller } from '../streaming/batcher.ts';
import { ask, outcomeOfStopped, type Part } from './ask.ts';
import type { Answer } from './result.ts';

const ABOUT_MS = 2_000;

type Report = Extract<Command, { name: 'generation_finish' | 'generation_fail' }>;

/** Does a generation: what was asked for when it was asked for, streamed live, reported once (W16, W17). */
export function createGenerate(
  models: Models,
  isHeld: (id: string) => boolean = () => false,
  time: Time = realTime,
): Perform<State, Command> {
  return async (job: Job, work: Work<State, Command>) => {
    const { generation } = job.input as { generation: string };
    const loom = modeState('loom', await work.state());
    const open = loom && openGeneration(loom, generation);
    if (!loom || !open) return;
    const name = `${work.thread}/${job.key}`;
    const finished = await models.finished.find<Part>(name, open.request.n);
    const kept = finished.map(([number]) => number);
    const model = finished[0]?.[1].model ?? open.request.model ?? models.registry.defaultFor('loom');
    const teller = createTeller(
      (texts) => work.tell({ type: 'generation.streamed', content: { generation, texts } }),
      models.secrets,
    );
    const tell = async (answer: Answer, parts: readonly number[]) => {
      const command = commandOf(work.thread, generation, answer);
      const actor = kept.length === 0 && open.stopping ? SYSTEM : writerOf(model, answer, isHeld);
      const result = { actor, id: `${generation}/${command.name}`, command };
      const every = [...new Set([...kept, ...parts])];
      await report(work, result, { finished: models.finished, job: job.key, parts: every });
    };
    // It may not be stored, and was not stored with the others before a restart either.
    const refused = finished.find(([, part]) => part.refused)?.[1];
    if (refused?.refused) {
      return tell({ refusal: refused.refused, ...(refused.called && { raw: refused.called.raw }) }, []);
    }
    if (open.stopping) return tell(outcomeOfStopped(model, new Map(finished)).answer, []);
    const { answer, isWhole, parts } = await ask(models, model, wishOf(loom, open), {
      thread: work.thread,
      signal: work.signal,
      stopping: work.stopping,
      budgets: async () => budgetsIn((await work.state()).thread),
      patience: patienceOf(work, open, idOf(model, isHeld), time),
      told: teller.add,
      finished: new Map(finished),
      keep: (number, part) => models.finished.keep(name, number, part, work.stopping),
    });
    teller.end();
    // Called off by this server's end or by another's lease: the next server with this job asks for what is missing.
    if (work.signal.aborted && !work.unwanted() && !isWhole) return;
    await tell(answer, parts);
  };
}

/** Several calls of one generation that wait until about the same time say so once. An exploration waits as a run does. */
function patienceOf(
  work: Work<State, Command>,
  { request, waiting }: OpenGeneration,
  id: string,
  time: Time,
): Patience {
  const { generation, exploration } = request;
  let told = 0;
  return {
    ...{ time, signal: work.signal },
    ...(exploration === undefined && { leftMs: limitWaiting(time, work.now, waiting?.since) }),
    async onWait(refused, ms) {
      const until = work.now() + ms;
      if (until <= told + ABOUT_MS) return ms;
      told = until;
      return reportWait(work, { id, kind: 'agent' }, refused, ms, (facts) => ({
        name: 'generation_wait',
        input: { generation, ...facts },
      }));
    },
  };
}

function wishOf(loom: LoomState, open: OpenGeneration) {
  const { request } = open;
  return {
    request,
    nodes: promptOf(loom, open),
    ...(request.fill && { suffix: suffixOf(loom, open) }),
  };
}

function commandOf(thread: string, generation: string, answer: Answer): Report {
  if (!('refusal' in answer)) return { name: 'generation_finish', input: { thread, generation, ...answer } };
  const { refusal, raw } = answer;
  const fault = { thread, generation, code: refusal.code, message: refusal.message };
  return { name: 'generation_fail', input: { ...fault, ...(raw !== undefined && { raw }) } };
}

/**
 * A model writes under an id of its own: its name in the settings, as an id is written, and never that of somebody who
 * holds a credential. A name that is no model's is only what somebody asked for, and nobody writes under it (T22).
 */
function writerOf(model: string, answer: Answer, isHeld: (id: string) => boolean): Actor {
  if ('refusal' in answer && answer.refusal.code === 'unknown_model') return SYSTEM;
  return { id: idOf(model, isHeld), kind: 'agent' };
}

function idOf(model: string, isHeld: (id: string) => boolean): string {
  const id = model.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  return id === 'all' || id === 'system' || isHeld(id) ? `model-${id}` : id;
}
