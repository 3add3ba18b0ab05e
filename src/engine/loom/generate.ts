import type { Job } from '../../core/decider.ts';
import type { Actor } from '../../core/event.ts';
import { openGeneration, promptOf, suffixOf } from '../../core/loom/prompt.ts';
import type { LoomState, OpenGeneration } from '../../core/loom/state.ts';
import { isRefusal, type RefusalDetail } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import { budgetsIn } from '../asking.ts';
import type { Perform, Work } from '../jobs.ts';
import { pause } from '../lease.ts';
import type { Models } from '../models.ts';
import { createTeller } from '../teller.ts';
import { type Answer, ask } from './ask.ts';

type Report = Extract<Command, { name: 'generation_finish' | 'generation_fail' }>;
const AGAIN_MS = 1_000;

/** Does a generation: what was asked for when it was asked for, streamed live, reported once (W16, W17). */
export function createGenerate(models: Models, isHeld: (id: string) => boolean = () => false): Perform<State, Command> {
  return async (job: Job, work: Work<State, Command>) => {
    const { generation } = job.input as { generation: string };
    const state = await work.state();
    const loom = modeState('loom', state);
    const open = loom && openGeneration(loom, generation);
    if (!loom || !open) return;
    const model = open.request.model ?? models.registry.defaultFor('loom');
    const teller = createTeller((texts) => work.tell({ type: 'generation.streamed', content: { generation, texts } }));
    const answer = await ask(models, model, wishOf(loom, open), {
      thread: work.thread,
      signal: work.signal,
      budgets: budgetsIn(state.thread),
      told: teller.add,
    });
    teller.flush();
    // Called off by this server's end or by another's lease: whoever has the job next begins it anew.
    if (work.signal.aborted && !work.unwanted()) return;
    await report(work, writerOf(model, answer, isHeld), generation, answer);
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

/** Tries until it is stored: it took a while to make. What cannot be stored as it is becomes a failure that says so. */
async function report(work: Work<State, Command>, actor: Actor, generation: string, answer: Answer) {
  let command = commandOf(work.thread, generation, answer);
  for (;;) {
    const handled = await work.handle(actor, command, `${generation}/${command.name}`);
    if (!isRefusal(handled)) return;
    const { code, message } = handled.refusal;
    if (code === 'lease_lost') return;
    if (code === 'store_unavailable' || code === 'no_space') {
      if (work.signal.aborted) return;
      await pause(AGAIN_MS, work.signal);
    } else if (command.name === 'generation_finish') command = failure(work.thread, generation, { code, message });
    else throw new Error(message);
  }
}

function commandOf(thread: string, generation: string, answer: Answer): Report {
  if ('refusal' in answer) return failure(thread, generation, answer.refusal, answer.raw);
  return { name: 'generation_finish', input: { thread, generation, ...answer } };
}

function failure(thread: string, generation: string, { code, message }: RefusalDetail, raw?: string): Report {
  return { name: 'generation_fail', input: { thread, generation, code, message, ...(raw !== undefined && { raw }) } };
}

/**
 * A model writes under an id of its own: its name in the settings, as an id is written, and never that of somebody who
 * holds a credential. A name that is no model's is only what somebody asked for, and nobody writes under it (T22).
 */
function writerOf(model: string, answer: Answer, isHeld: (id: string) => boolean): Actor {
  if ('refusal' in answer && answer.refusal.code === 'unknown_model') return { id: 'system', kind: 'automation' };
  const id = model.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
  return { id: id === 'all' || id === 'system' || isHeld(id) ? `model-${id}` : id, kind: 'agent' };
}
