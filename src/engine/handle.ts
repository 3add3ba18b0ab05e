import { setTimeout as later } from 'node:timers/promises';
import type { Context, Domain } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import {
  type AppendCommandKey,
  type AppendEntry,
  type AppendOutcome,
  type AppliedCommand,
  type EventLog,
  isStoreAway,
  type Lease,
  NoSpace,
  type RecordWrite,
  type StoredEvent,
  StoreUnavailable,
} from '../log/event-log.ts';
import { sha256 } from '../log/seal.ts';
import { type BatchDecision, type CommandChange, createOverlay } from './overlay.ts';
import type { Secrets } from './secrets.ts';
import { createSlices, type Slices } from './slices.ts';
import type { States } from './states.ts';

export interface Submission<Command> {
  readonly actor: Actor;
  readonly command: Command;
  /** The client's id for this command: a retry with the same id gets the same answer and is not repeated (L7). */
  readonly id: string;
  readonly digest: string;
  readonly lease?: Pick<Lease, 'name' | 'fence'>;
  /** Rows to write in the same transaction, such as a checkpoint. */
  readonly records?: readonly RecordWrite[];
}

export type CommandResult<State = unknown> = AcceptedCommand<State> | Refusal;

export interface AcceptedCommand<State = unknown> {
  readonly events: readonly StoredEvent[];
  readonly repeated: boolean;
  /** Details of the change; absent if the command was a repeat. */
  readonly change?: CommandChange<State>;
}

/** The decision on a command; `fault` is an error that prevented a decision. */
type CommandVerdict<State> = BatchDecision<State> & { readonly fault?: { readonly error: unknown } };

interface QueuedCommand<State, Command> {
  readonly submission: Submission<Command>;
  readonly settle: (result: CommandResult<State>) => void;
  readonly fail: (error: unknown) => void;
  readonly length: number;
  conflictsSince?: number;
  alone?: boolean;
}

const LARGEST_BATCH = 512;
/** A transaction is written in one go while everyone waits, so this is the most text for one (T23). */
const LARGEST_BATCH_TEXT = 1024 * 1024;
const GIVE_UP_AFTER_MS = 2000;

/** The inputs that a decision must not read by itself, such as the time. */
export interface Clock extends Omit<Context, 'actor' | 'now'> {
  now(): string;
}

export interface HandlerParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly secrets: Secrets;
  readonly clock: Clock;
  onCommit(rows: readonly StoredEvent[]): void;
  /** Receives errors that do not affect the sender of a command. */
  report?(error: unknown): void;
}

/**
 * The single entry point for every change. Commands queue; those that arrive during a commit are decided in order and
 * share the next one, without a timer (L8).
 */
export function createHandler<State, Command>(parts: HandlerParts<State, Command>) {
  const { log, domain, states, secrets, clock, onCommit, report = () => {} } = parts;
  let queue: QueuedCommand<State, Command>[] = [];
  let running = false;
  const pendingResults = new Set<Promise<CommandResult<State>>>();

  function handle(submission: Omit<Submission<Command>, 'digest'>): Promise<CommandResult<State>> {
    // Parsed input has its keys in schema order, so equal commands have equal text.
    const text = commandText(submission.command);
    if (text === undefined) return Promise.resolve(tooDeepRefusal());
    const digest = sha256(text);
    const result = new Promise<CommandResult<State>>((settle, fail) =>
      enqueue({ submission: { ...submission, digest }, settle, fail, length: text.length }),
    );
    pendingResults.add(result);
    const onSettled = () => void pendingResults.delete(result);
    result.then(onSettled, onSettled);
    return result;
  }

  function enqueue(item: QueuedCommand<State, Command>) {
    queue.push(item);
    if (running) return;
    running = true;
    setImmediate(drain);
  }

  async function drain() {
    const slices = createSlices();
    while (queue.length > 0) {
      const batch = queue.splice(0, queue[0]?.alone ? 1 : batchSize(queue));
      try {
        await commit(batch, slices);
      } catch (error) {
        for (const item of batch) item.fail(error);
      }
    }
    running = false;
  }

  async function commit(batch: readonly QueuedCommand<State, Command>[], slices: Slices) {
    // 1. Of commands with the same id, only the first runs; the others then find it done.
    const unique = uniqueCommands(batch);

    // 2. Decide each command on the state that the ones before it will leave.
    const overlay = createOverlay(domain, states, secrets, clock);
    const verdicts: CommandVerdict<State>[] = [];
    for (const item of unique) {
      verdicts.push(await decideOrFault(() => overlay.decide(item.submission)));
      if (slices.isOver()) await slices.next();
    }

    // 3. Append everything in one transaction.
    const appends = unique.flatMap((item, i) => {
      const { outcome: append, change } = verdicts[i] as CommandVerdict<State>;
      return append && !isRefusal(append) ? [{ item, append, change }] : [];
    });
    if (slices.isOver()) await slices.next();
    const outcomes = await appendAll(appends.map((entry) => entry.append));
    if (outcomes instanceof Error && !isStoreAway(outcomes) && appends.length > 1) {
      // One of the commands cannot be stored: retry each alone, so that the others can.
      queue = [...unique.map((item) => Object.assign(item, { alone: true })), ...queue];
      return;
    }

    // 4. Install the committed states, and only then send answers. A failure here does not undo the commit.
    const staleThreads = failedThreads(appends, outcomes);
    for (const [thread, loaded] of overlay.working) {
      const before = overlay.before.get(thread) ?? 0;
      if (staleThreads.has(thread)) await states.refresh(thread);
      else if (loaded.seq > before) await states.install(thread, loaded, before).catch(report);
    }
    const rows = outcomes instanceof Error ? [] : committedRows(appends, outcomes);
    if (rows.length > 0) publish(rows);
    for (const [i, { item, append, change }] of appends.entries()) {
      if (outcomes instanceof Error) settleFailure(item, outcomes);
      else await settle(item, append, outcomes[i] as AppendOutcome, change).catch(item.fail);
      if (slices.isOver()) await slices.next();
    }

    // 5. A refusal is final if the command was not done before and the state it was decided on has not changed.
    const nonAppending = unique.flatMap((item, i) => {
      const { outcome, threads, fault } = verdicts[i] as CommandVerdict<State>;
      return outcome === undefined || isRefusal(outcome) ? [{ item, outcome, threads, fault }] : [];
    });
    const earlierCommands =
      nonAppending.length > 0 ? await log.appliedCommands(nonAppending.map(({ item }) => keyOf(item))) : [];
    for (const [i, { item, outcome, threads, fault }] of nonAppending.entries()) {
      const earlier = earlierCommands[i];
      if (earlier) await settleRepeated(item, earlier);
      else if (fault) item.fail(fault.error);
      else if (await haveChanged(threads, staleThreads)) enqueue(item);
      else item.settle(outcome ?? { events: [], repeated: false });
    }
  }

  function uniqueCommands(batch: readonly QueuedCommand<State, Command>[]): readonly QueuedCommand<State, Command>[] {
    if (batch.length === 1) return batch;
    const seen = new Set<string>();
    return batch.filter((item) => {
      const key = `${item.submission.actor.id} ${item.submission.id}`;
      const first = !seen.has(key);
      if (first) seen.add(key);
      else enqueue(item);
      return first;
    });
  }

  function publish(rows: readonly StoredEvent[]) {
    try {
      onCommit(rows);
    } catch (error) {
      report(error);
    }
  }

  async function settleRepeated(item: QueuedCommand<State, Command>, earlier: AppliedCommand) {
    if (earlier.digest !== item.submission.digest) {
      item.settle(
        refuse(
          'command_reused',
          `The command id "${item.submission.id}" was already used for another command. Nothing was changed; send it again with a new ID.`,
        ),
      );
      return;
    }
    item.settle({ events: await log.readAll(earlier.position - 1, earlier.count), repeated: true });
  }

  async function appendAll(entries: readonly AppendEntry[]): Promise<readonly AppendOutcome[] | Error> {
    if (entries.length === 0) return [];
    try {
      return await log.append(entries);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function settle(
    item: QueuedCommand<State, Command>,
    append: AppendEntry,
    outcome: AppendOutcome,
    change: CommandChange<State> | undefined,
  ) {
    switch (outcome.status) {
      case 'committed':
        return item.settle({
          events: storedEventsOf(append, outcome.position),
          repeated: false,
          ...(change && { change }),
        });
      case 'repeated':
        return settleRepeated(item, outcome.earlier);
      case 'fenced':
        return item.settle(refuse('lease_lost', 'Another server has taken over this work and continues it.'));
      case 'conflict':
        return retry(item, outcome.thread);
    }
  }

  /** Another process appended first: decide again on the new state, for a limited time (L6). */
  function retry(item: QueuedCommand<State, Command>, thread: string) {
    const now = performance.now();
    item.conflictsSince ??= now;
    if (now - item.conflictsSince > GIVE_UP_AFTER_MS) {
      item.settle(
        refuse('conflict', 'Others kept writing to this thread at the same time. Nothing was stored; send it again.', {
          thread,
        }),
      );
      return;
    }
    void later(Math.random() * 5).then(() => enqueue(item));
  }

  async function haveChanged(threads: ReadonlySet<string>, staleThreads: ReadonlySet<string>): Promise<boolean> {
    let hasChanged = false;
    for (const thread of threads) hasChanged = staleThreads.has(thread) || (await states.refresh(thread)) || hasChanged;
    return hasChanged;
  }

  /** Waits until everything queued so far is settled. */
  async function idle() {
    while (pendingResults.size > 0) await Promise.allSettled(pendingResults);
  }

  return { handle, idle };
}

/** The number of queued commands that one transaction takes. */
function batchSize(queue: readonly { readonly length: number }[]): number {
  let [size, length] = [0, 0];
  while (size < Math.min(queue.length, LARGEST_BATCH) && (size === 0 || length < LARGEST_BATCH_TEXT)) {
    length += queue[size++]?.length ?? 0;
  }
  return size;
}

function keyOf({ submission }: { readonly submission: Submission<unknown> }): AppendCommandKey {
  return { participant: submission.actor.id, id: submission.id };
}

type PendingAppends = readonly { readonly append: AppendEntry }[];

function failedThreads(appends: PendingAppends, outcomes: readonly AppendOutcome[] | Error): ReadonlySet<string> {
  const threads = new Set<string>();
  for (const [i, { append }] of appends.entries()) {
    if (!(outcomes instanceof Error) && outcomes[i]?.status === 'committed') continue;
    for (const { thread } of append.expected) threads.add(thread);
  }
  return threads;
}

function committedRows(appends: PendingAppends, outcomes: readonly AppendOutcome[]): StoredEvent[] {
  return appends.flatMap(({ append }, i) => {
    const outcome = outcomes[i];
    return outcome?.status === 'committed' ? storedEventsOf(append, outcome.position) : [];
  });
}

function storedEventsOf(append: AppendEntry, position: number): StoredEvent[] {
  return append.events.map(({ previous: _, ...sealed }, i) => ({ ...sealed, position: position + i }));
}

/** An error in one decision fails only that command (L23); a store that cannot be read fails all of them. */
async function decideOrFault<State>(decide: () => Promise<BatchDecision<State>>): Promise<CommandVerdict<State>> {
  try {
    return await decide();
  } catch (error) {
    if (isStoreAway(error)) throw error;
    return { outcome: undefined, threads: new Set(), fault: { error } };
  }
}

function settleFailure(item: { settle(refusal: Refusal): void; fail(error: unknown): void }, error: Error) {
  if (error instanceof NoSpace) item.settle(refuse('no_space', error.message));
  else if (error instanceof StoreUnavailable) item.settle(refuse('store_unavailable', error.message));
  else item.fail(error);
}

/** The command as JSON; undefined if it is nested too deeply to serialise, far beyond what can be stored (L15). */
function commandText(command: unknown): string | undefined {
  try {
    return JSON.stringify(command);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tooDeepRefusal(): Refusal {
  return refuse(
    'unacceptable_text',
    'The content is nested too deeply. Nothing was stored; send it with fewer levels.',
  );
}
