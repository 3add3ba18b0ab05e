import type { Actor } from '../core/event.ts';
import { isRefusal, type RefusalCode, type RefusalDetail } from '../core/refusal.ts';
import type { Command, State } from '../core/workspace.ts';
import type { RecordWrite } from '../log/event-log.ts';
import type { Finished } from './finished.ts';
import type { Work } from './jobs.ts';
import { untilStored } from './until-stored.ts';

/*
 * How what a model brought gets into the log, whichever way of working asked for it (W28): a full disk, a store that is
 * away and others who keep writing first are waited out, and the model is not asked, or paid, again.
 */

type Reported = Extract<
  Command,
  { name: 'iterated' | 'mind_spoke' | 'audited' | 'answer' | 'generation_finish' | 'generation_fail' }
>;

export interface Result {
  readonly actor: Actor;
  /** The same at every try, so that a result is stored once. */
  readonly id: string;
  readonly command: Reported;
  /** Rows to write in the same step. */
  readonly records?: readonly RecordWrite[];
}

/** Another server has the job, this one ends before the store is back, or the result is there already. */
const OVER: ReadonlySet<RefusalCode> = new Set([
  ...(['lease_lost', 'command_reused'] as const),
  ...(['store_unavailable', 'no_space', 'conflict'] as const),
]);
const LONGEST_REASON = 2000;

/**
 * Stores a result, however long that takes; what may not be stored, such as text with a secret in it, becomes a fault
 * that says so. With `keep`, it is kept beside the log at the first failure: a lease runs out while a disk is full, and
 * whoever has the job next reports what is kept (`reportKept`).
 */
export async function report(work: Work<State, Command>, result: Result, keep?: Keeping): Promise<void> {
  let { records = [] } = result;
  async function keepIt() {
    if (!keep) return;
    await keepResult(work, result, keep);
    records = [...records, ...keep.finished.removal(nameOf(work, keep), [0])];
  }
  const send = (command: Reported, id: string) =>
    untilStored(() => work.handle(result.actor, command, id, records), work.stopping, keepIt);
  let handled = await send(result.command, result.id);
  const lesser = isRefusal(handled) && handled.refusal.code === 'too_large' && withoutTokens(result.command);
  if (lesser) handled = await send(lesser, `${result.id}/texts`);
  if (!isRefusal(handled) || OVER.has(handled.refusal.code)) return;
  const failed = await send(faultOf(result.command, handled.refusal), `${result.id}/refused`);
  if (!isRefusal(failed) || OVER.has(failed.refusal.code)) return;
  // Nobody wants it any more, not even why it failed.
  if (failed.refusal.code !== 'forbidden') throw new Error(failed.refusal.message);
}

/** Where a result is kept while it cannot be stored: under the key of its job. */
export interface Keeping {
  readonly finished: Finished;
  readonly job: string;
}

/** Leaves a result to whoever has the job next. */
export async function keepResult(work: Work<State, Command>, { actor, id, command }: Result, keep: Keeping) {
  await keep.finished.keep(nameOf(work, keep), 0, { actor, id, command }, work.stopping);
}

/** Reports what was kept of a job, here or on another server; true where there was something. `ready` is its turn. */
export async function reportKept(
  work: Work<State, Command>,
  keep: Keeping,
  ready: () => Promise<void> = async () => {},
): Promise<boolean> {
  const name = nameOf(work, keep);
  const [kept] = await keep.finished.find<Result>(name);
  if (!kept) return false;
  await ready();
  if (work.signal.aborted && !work.unwanted()) return true;
  await report(work, { ...kept[1], records: keep.finished.removal(name, [0]) });
  return true;
}

function nameOf({ thread }: Work<State, Command>, { job }: Keeping): string {
  return `${thread}/${job}`;
}

/** The texts and their scores: probabilities of tokens, which are in the raw response too, may take a hundred times the room. */
function withoutTokens(command: Reported): Reported | undefined {
  if (command.name !== 'generation_finish') return undefined;
  const choices = command.input.choices.map(({ tokens: _, ...choice }) => choice);
  return { ...command, input: { ...command.input, choices } };
}

/** A result that may not be stored, as the fault that says why. */
function faultOf(command: Reported, { code, message }: RefusalDetail): Reported {
  switch (command.name) {
    case 'iterated':
    case 'mind_spoke':
    case 'audited':
      return { ...command, input: { ...command.input, result: { malformed: message } } } as Reported;
    case 'answer': {
      const { thread, event, up_to, usage } = command.input;
      const reason = message.slice(0, LONGEST_REASON);
      return { ...command, input: { thread, event, up_to, outcome: 'failed', reason, ...(usage && { usage }) } };
    }
    case 'generation_finish':
    case 'generation_fail': {
      const { thread, generation, raw } = command.input;
      const fault = { thread, generation, code, message, ...(raw !== undefined && { raw }) };
      return { name: 'generation_fail', input: fault };
    }
  }
}
