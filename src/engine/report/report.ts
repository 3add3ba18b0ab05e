import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type RefusalCode, type RefusalDetail } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Handled } from '../handle.ts';
import type { Perform, Work } from '../jobs.ts';
import type { Finished, Kept } from './pending.ts';
import { untilStored } from './store.ts';

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
}

/** Another server has the job, or this one ends before the store is back: what is kept waits for the next server. */
const LEFT: ReadonlySet<RefusalCode> = new Set(['lease_lost', 'store_unavailable', 'no_space', 'conflict']);
/** The result is there already, or nobody wants it any more, not even why it failed. */
const UNWANTED: ReadonlySet<RefusalCode> = new Set(['command_reused', 'forbidden']);
const LONGEST_REASON = 2000;

/**
 * Stores a result, however long that takes; what may not be stored, such as text with a secret in it, becomes a fault
 * that says so. It is kept beside the log at the first failure: a lease runs out while a disk is full, and the next server
 * with the job reports what is kept (`reportKept`). What is kept is removed with the result, or when nothing comes of it.
 */
export async function report(work: Work<State, Command>, result: Result, keep: Keeping): Promise<void> {
  const name = nameOf(work, keep);
  let { parts } = keep;
  async function keepIt() {
    if (parts) return;
    await keepResult(work, result, keep);
    parts = [0];
  }
  function send(command: Reported, id: string): Promise<Handled<State>> {
    const write = () => work.handle(result.actor, command, id, keep.finished.removal(name, parts ?? []));
    return untilStored(write, work.stopping, keepIt);
  }
  const handled = await sendOrFault(result, send);
  if (isRefusal(handled)) {
    const { code, message } = handled.refusal;
    if (LEFT.has(code)) return;
    if (!UNWANTED.has(code) && !keep.isUnasked) throw new Error(message);
  }
  const isRemoved = !isRefusal(handled) && !handled.repeated && handled.events.length > 0;
  if (parts && parts.length > 0 && !isRemoved) await keep.finished.drop(name, parts, work.stopping);
}

type Send = (command: Reported, id: string) => Promise<Handled<State>>;

async function sendOrFault({ command, id }: Result, send: Send): Promise<Handled<State>> {
  let handled = await send(command, id);
  const lesser = isRefusal(handled) && handled.refusal.code === 'too_large' && withoutTokens(command);
  if (lesser) handled = await send(lesser, `${id}/texts`);
  if (!isRefusal(handled) || LEFT.has(handled.refusal.code) || handled.refusal.code === 'command_reused')
    return handled;
  return send(faultOf(command, handled.refusal), `${id}/refused`);
}

/** Where a result is kept while it cannot be stored: under the key of its job. */
export interface Keeping {
  readonly finished: Finished;
  readonly job: string;
  /** What is kept of it already; without it, the result is kept when it cannot be stored at once. */
  readonly parts?: readonly number[];
  /** The thread no longer asks for the job: what is refused is not tried again. */
  readonly isUnasked?: boolean;
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
  const [kept] = await keep.finished.find<Result>(nameOf(work, keep));
  if (!kept) return false;
  await ready();
  if (work.signal.aborted && !work.unwanted()) return true;
  await report(work, storable(kept[1]), { ...keep, parts: [0] });
  return true;
}

/** A result that may not be stored is told as it would have been without a restart. */
function storable({ refused, ...result }: Kept<Result>): Result {
  if (!refused) return result;
  return { ...result, id: `${result.id}/refused`, command: faultOf(result.command, refused) };
}

/**
 * Settles what is kept of a job that its thread no longer asks for, after a stop, an acceptance or a pause: it is reported
 * as it would have been by the server that made it, late or as a draft, and what nobody wants is removed.
 */
export function createSettleKept(finished: Finished, isPerson: (id: string) => boolean): Perform<State, Command> {
  return async ({ key, input }, work) => {
    const { parts } = input as { readonly parts: readonly number[] };
    const keep = { finished, job: key, isUnasked: true };
    const [first] = await finished.find<Partial<Result>>(nameOf(work, keep));
    const actor = first?.[1].command && first[1].actor;
    // Nothing is written under a person's id (T22), and choices of a loom are in the generation that is over.
    if (actor && !isPerson(actor.id)) await reportKept(work, keep);
    else await finished.drop(nameOf(work, keep), parts, work.stopping);
  };
}

function nameOf({ thread }: Work<State, Command>, { job }: Pick<Keeping, 'job'>): string {
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
