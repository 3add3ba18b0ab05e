import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type RefusalCode, type RefusalDetail } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { CommandResult } from '../handle.ts';
import type { JobContext, PerformJob } from '../jobs.ts';
import type { PendingPart, PendingResults } from './pending.ts';
import { storeWithRetry } from './store.ts';

/*
 * Stores a model's results in the log, for every kind of thread (W28): waits out a full disk, an unavailable store and
 * concurrent writers, and never asks or pays the model again.
 */

type ReportCommand = Extract<
  Command,
  { name: 'report_iteration' | 'report_thoughts' | 'report_audit' | 'answer' | 'report_generation' | 'report_failure' }
>;

export interface JobResult {
  readonly actor: Actor;
  /** The same id for every try, so that a result is stored once. */
  readonly id: string;
  readonly command: ReportCommand;
}

/**
 * Another server has the job, or this one ends before the store is back: the saved result waits for the next server.
 */
const RETRY_LATER: ReadonlySet<RefusalCode> = new Set(['lease_lost', 'store_unavailable', 'no_space', 'conflict']);
/** The result is already stored, or is no longer wanted, not even as a failure. */
const UNWANTED: ReadonlySet<RefusalCode> = new Set(['command_reused', 'forbidden']);
const MAX_REASON_CHARS = 2000;

/**
 * Stores a result, however long that takes. A result that may not be stored, such as text with a secret, becomes a
 * fault that says so. At the first failure the result is saved outside the log: a lease expires while a disk is full,
 * and the next server with the job reports the saved result (`reportPending`). The saved copy is removed with the
 * result, or when it is no longer needed.
 */
export async function report(context: JobContext<State, Command>, result: JobResult, slot: ResultSlot): Promise<void> {
  const name = pendingName(context, slot);
  let { parts } = slot;
  async function savePending() {
    if (parts) return;
    await savePendingResult(context, result, slot);
    parts = [0];
  }
  function send(command: ReportCommand, id: string): Promise<CommandResult<State>> {
    const write = () =>
      context.handle(result.actor, command, id, slot.pendingResults.removalRecords(name, parts ?? []));
    return storeWithRetry(write, context.stopping, savePending);
  }
  const response = await sendOrFault(result, send);
  if (isRefusal(response)) {
    const { code, message } = response.refusal;
    if (RETRY_LATER.has(code)) return;
    if (!UNWANTED.has(code) && !slot.isUnwanted) throw new Error(message);
  }
  const isRemoved = !isRefusal(response) && !response.repeated && response.events.length > 0;
  if (parts && parts.length > 0 && !isRemoved) await slot.pendingResults.drop(name, parts, context.stopping);
}

type SendReport = (command: ReportCommand, id: string) => Promise<CommandResult<State>>;

async function sendOrFault({ command, id }: JobResult, send: SendReport): Promise<CommandResult<State>> {
  let response = await send(command, id);
  const smaller = isRefusal(response) && response.refusal.code === 'too_large' && withoutTokens(command);
  if (smaller) response = await send(smaller, `${id}/texts`);
  if (!isRefusal(response) || RETRY_LATER.has(response.refusal.code) || response.refusal.code === 'command_reused')
    return response;
  return send(faultCommand(command, response.refusal), `${id}/refused`);
}

/** Where a result is saved while it cannot be stored: under its job's key. */
export interface ResultSlot {
  readonly pendingResults: PendingResults;
  readonly job: string;
  /** The parts already saved; without it, the result is saved if it cannot be stored at once. */
  readonly parts?: readonly number[];
  /** The thread no longer asks for the job: a refused result is not tried again. */
  readonly isUnwanted?: boolean;
}

/** Saves a result for the next server with the job. */
export async function savePendingResult(
  context: JobContext<State, Command>,
  { actor, id, command }: JobResult,
  slot: ResultSlot,
) {
  await slot.pendingResults.save(pendingName(context, slot), 0, { actor, id, command }, context.stopping);
}

/**
 * Reports a job's saved result, from this or another server; true if there was one. `beforeReport` waits for its turn.
 */
export async function reportPending(
  context: JobContext<State, Command>,
  slot: ResultSlot,
  beforeReport: () => Promise<void> = async () => {},
): Promise<boolean> {
  const [pending] = await slot.pendingResults.find<JobResult>(pendingName(context, slot));
  if (!pending) return false;
  await beforeReport();
  if (context.signal.aborted && !context.isUnwanted()) return true;
  await report(context, toStorable(pending[1]), { ...slot, parts: [0] });
  return true;
}

/** Reports a result that may not be stored just as it would have been without a restart. */
function toStorable({ refused: refusal, ...result }: PendingPart<JobResult>): JobResult {
  if (!refusal) return result;
  return { ...result, id: `${result.id}/refused`, command: faultCommand(result.command, refusal) };
}

/**
 * Settles the saved results of a job that its thread no longer asks for, after a stop, an acceptance or a pause:
 * reports them as the server that made them would have, late or as a draft, and removes what is no longer wanted.
 */
export function createPendingSettler(
  pendingResults: PendingResults,
  isPerson: (id: string) => boolean,
): PerformJob<State, Command> {
  return async ({ key, input }, context) => {
    const { parts } = input as { readonly parts: readonly number[] };
    const slot = { pendingResults, job: key, isUnwanted: true };
    const [first] = await pendingResults.find<Partial<JobResult>>(pendingName(context, slot));
    const actor = first?.[1].command && first[1].actor;
    // Nothing is written under a person's id (T22). Saved choices of a loom belong to a generation that is over.
    if (actor && !isPerson(actor.id)) await reportPending(context, slot);
    else await pendingResults.drop(pendingName(context, slot), parts, context.stopping);
  };
}

function pendingName({ thread }: JobContext<State, Command>, { job }: Pick<ResultSlot, 'job'>): string {
  return `${thread}/${job}`;
}

/**
 * Keeps the texts and their scores but drops token probabilities, which may take a hundred times the space and are also
 * in the raw response.
 */
function withoutTokens(command: ReportCommand): ReportCommand | undefined {
  if (command.name !== 'report_generation') return undefined;
  const choices = command.input.choices.map(({ tokens: _, ...choice }) => choice);
  return { ...command, input: { ...command.input, choices } };
}

/** Turns a result that may not be stored into a fault that says why. */
function faultCommand(command: ReportCommand, { code, message }: RefusalDetail): ReportCommand {
  switch (command.name) {
    case 'report_iteration':
    case 'report_thoughts':
    case 'report_audit':
      return { ...command, input: { ...command.input, result: { malformed: message } } } as ReportCommand;
    case 'answer': {
      const { thread, event, up_to, usage } = command.input;
      const reason = message.slice(0, MAX_REASON_CHARS);
      return { ...command, input: { thread, event, up_to, outcome: 'failed', reason, ...(usage && { usage }) } };
    }
    case 'report_generation':
    case 'report_failure': {
      const { thread, generation, raw } = command.input;
      const fault = { thread, generation, code, message, ...(raw !== undefined && { raw }) };
      return { name: 'report_failure', input: fault };
    }
  }
}
