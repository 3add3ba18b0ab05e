import type { Job } from '../../core/decider.ts';
import type { Actor } from '../../core/event.ts';
import { openGeneration, promptOf, suffixOf } from '../../core/loom/prompt.ts';
import type { LoomState, OpenGeneration } from '../../core/loom/state.ts';
import { isRefusal, type RefusalCode, type RefusalDetail } from '../../core/refusal.ts';
import { type Command, modeState, type State } from '../../core/workspace.ts';
import type { RecordWrite } from '../../log/event-log.ts';
import { budgetsIn } from '../asking.ts';
import type { Perform, Work } from '../jobs.ts';
import type { Models } from '../models.ts';
import { createTeller } from '../teller.ts';
import { untilStored } from '../until-stored.ts';
import type { Answer } from './answer.ts';
import { ask, type Part } from './ask.ts';

type Report = Extract<Command, { name: 'generation_finish' | 'generation_fail' }>;
/** Another server has the job, or this one ends: what is finished is kept for the next to report. */
const LEFT_TO_OTHERS: ReadonlySet<RefusalCode> = new Set(['lease_lost', 'store_unavailable', 'no_space', 'conflict']);

/** Does a generation: what was asked for when it was asked for, streamed live, reported once (W16, W17). */
export function createGenerate(models: Models, isHeld: (id: string) => boolean = () => false): Perform<State, Command> {
  return async (job: Job, work: Work<State, Command>) => {
    const { generation } = job.input as { generation: string };
    const state = await work.state();
    const loom = modeState('loom', state);
    const open = loom && openGeneration(loom, generation);
    if (!loom || !open) return;
    const name = `${work.thread}/${job.key}`;
    const finished = await models.finished.find<Part>(name);
    const model = finished[0]?.[1].model ?? open.request.model ?? models.registry.defaultFor('loom');
    const teller = createTeller(
      (texts) => work.tell({ type: 'generation.streamed', content: { generation, texts } }),
      models.secrets,
    );
    const { answer, isWhole, parts } = await ask(models, model, wishOf(loom, open), {
      thread: work.thread,
      signal: work.signal,
      stopping: work.stopping,
      budgets: budgetsIn(state.thread),
      told: teller.add,
      finished: new Map(finished),
      keep: (number, part) => models.finished.keep(name, number, part, work.stopping),
    });
    teller.end();
    // Called off by this server's end or by another's lease: the next server with this job asks for what is missing.
    if (work.signal.aborted && !work.unwanted() && !isWhole) return;
    const removal = models.finished.removal(name, parts);
    await report(work, writerOf(model, answer, isHeld), generation, answer, removal);
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

/** What cannot be stored as it is becomes a failure that says so; everything else is stored, however long that takes (W28). */
async function report(
  work: Work<State, Command>,
  actor: Actor,
  generation: string,
  answer: Answer,
  removal: readonly RecordWrite[],
) {
  const send = (command: Report, id: string) =>
    untilStored(() => work.handle(actor, command, `${generation}/${id}`, removal), work.stopping);
  const command = commandOf(work.thread, generation, answer);
  let handled = await send(command, command.name);
  if (isRefusal(handled) && handled.refusal.code === 'too_large' && command.name === 'generation_finish') {
    handled = await send(withoutTokens(command), 'texts');
  }
  if (!isRefusal(handled) || LEFT_TO_OTHERS.has(handled.refusal.code)) return;
  const { code, message } = handled.refusal;
  const raw = 'raw' in answer ? answer.raw : undefined;
  const failed = await send(failure(work.thread, generation, { code, message }, raw), 'generation_fail');
  if (isRefusal(failed) && !LEFT_TO_OTHERS.has(failed.refusal.code)) throw new Error(failed.refusal.message);
}

/** The texts and their scores: probabilities of tokens, which are in the raw response too, may take a hundred times the room. */
function withoutTokens({ name, input }: Extract<Report, { name: 'generation_finish' }>): Report {
  return { name, input: { ...input, choices: input.choices.map(({ tokens: _, ...choice }) => choice) } };
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
