import { setTimeout as later } from 'node:timers/promises';
import type { Context, Domain } from '../core/decider.ts';
import type { Actor } from '../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import {
  type Append,
  type CommandKey,
  type EventLog,
  type Lease,
  NoSpace,
  type Outcome,
  type RecordWrite,
  type Remembered,
  type Stored,
  StoreUnavailable,
} from '../log/event-log.ts';
import { sha256 } from '../log/seal.ts';
import { createOverlay, type Decided, type Made } from './overlay.ts';
import type { Secrets } from './secrets.ts';
import { createSlices, type Slices } from './slices.ts';
import type { States } from './states.ts';

/** One command on its way in. */
export interface Submission<Command> {
  readonly actor: Actor;
  readonly command: Command;
  /** The client's own id for this wish: a retry with it is answered, not repeated (L7). */
  readonly id: string;
  readonly digest: string;
  readonly lease?: Pick<Lease, 'name' | 'fence'>;
  /** Rows to write in the same transaction, such as a checkpoint. */
  readonly records?: readonly RecordWrite[];
}

export type Handled<State = unknown> = Done<State> | Refusal;

export interface Done<State = unknown> {
  readonly events: readonly Stored[];
  readonly repeated: boolean;
  /** What is known of it besides; absent when it was done before. */
  readonly made?: Made<State>;
}

/** A fault is what kept a command from being decided at all. */
type Verdict<State> = Decided<State> & { readonly fault?: { readonly error: unknown } };

interface Waiting<State, Command> {
  readonly submission: Submission<Command>;
  readonly settle: (handled: Handled<State>) => void;
  readonly fail: (error: unknown) => void;
  /** How long its command is, as text. */
  readonly length: number;
  conflictsSince?: number;
  alone?: boolean;
}

const LARGEST_BATCH = 512;
/** What one transaction writes is written in one go, and everybody waits: so much text is enough for one (T23). */
const LARGEST_BATCH_TEXT = 1024 * 1024;
const GIVE_UP_AFTER_MS = 2000;

/** What a decision may not find out for itself. */
export interface Clock extends Omit<Context, 'actor' | 'now'> {
  now(): string;
}

export interface HandlerParts<State, Command> {
  readonly log: EventLog;
  readonly domain: Domain<State, Command>;
  readonly states: States<State>;
  readonly secrets: Secrets;
  readonly clock: Clock;
  committed(rows: readonly Stored[]): void;
  /** Where faults are told that change nothing for whoever sent a command. */
  report?(error: unknown): void;
}

/**
 * The one door for every change. Commands queue; whatever queued while the last
 * commit ran is decided in order and shares the next one, without a timer (L8).
 */
export function createHandler<State, Command>(parts: HandlerParts<State, Command>) {
  const { log, domain, states, secrets, clock, committed, report = () => {} } = parts;
  let queue: Waiting<State, Command>[] = [];
  let running = false;
  const unsettled = new Set<Promise<Handled<State>>>();

  function handle(submission: Omit<Submission<Command>, 'digest'>): Promise<Handled<State>> {
    // Parsed input has its keys in the order of its schema, so equal commands have equal text.
    const text = textOf(submission.command);
    if (text === undefined) return Promise.resolve(tooDeep());
    const digest = sha256(text);
    const handled = new Promise<Handled<State>>((settle, fail) =>
      enqueue({ submission: { ...submission, digest }, settle, fail, length: text.length }),
    );
    unsettled.add(handled);
    const settled = () => void unsettled.delete(handled);
    handled.then(settled, settled);
    return handled;
  }

  function enqueue(item: Waiting<State, Command>) {
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

  async function commit(batch: readonly Waiting<State, Command>[], slices: Slices) {
    // 1. Of commands with the same id, one goes first; the others find it done.
    const fresh = oneOfEach(batch);

    // 2. Each command is decided on what those before it will have made.
    const overlay = createOverlay(domain, states, secrets, clock);
    const decided: Verdict<State>[] = [];
    for (const item of fresh) {
      decided.push(await decideAlone(() => overlay.decide(item.submission)));
      if (slices.isOver()) await slices.next();
    }

    // 3. One transaction for all that append.
    const writing = fresh.flatMap((item, i) => {
      const { outcome: append, made } = decided[i] as Verdict<State>;
      return append && !isRefusal(append) ? [{ item, append, made }] : [];
    });
    if (slices.isOver()) await slices.next();
    const outcomes = await appendAll(writing.map((entry) => entry.append));
    if (outcomes instanceof Error && isUnexplained(outcomes) && writing.length > 1) {
      // One of them cannot be stored; apart, the others can.
      queue = [...fresh.map((item) => Object.assign(item, { alone: true })), ...queue];
      return;
    }

    // 4. Committed states become the truth; then, and only then, answers leave. Nothing that fails here undoes a commit.
    const failed = failedThreads(writing, outcomes);
    for (const [thread, loaded] of overlay.working) {
      const before = overlay.before.get(thread) ?? 0;
      if (failed.has(thread)) await states.refresh(thread);
      else if (loaded.seq > before) await states.install(thread, loaded, before).catch(report);
    }
    const rows = outcomes instanceof Error ? [] : publishable(writing, outcomes);
    if (rows.length > 0) publish(rows);
    for (const [i, { item, append, made }] of writing.entries()) {
      if (outcomes instanceof Error) settleFailure(item, outcomes);
      else await settle(item, append, outcomes[i] as Outcome, made).catch(item.fail);
      if (slices.isOver()) await slices.next();
    }

    // 5. A refusal stands if it was not done before and what it was decided on stands.
    const unwritten = fresh.flatMap((item, i) => {
      const { outcome, threads, fault } = decided[i] as Verdict<State>;
      return outcome === undefined || isRefusal(outcome) ? [{ item, outcome, threads, fault }] : [];
    });
    const remembered = unwritten.length > 0 ? await log.remembered(unwritten.map(({ item }) => keyOf(item))) : [];
    for (const [i, { item, outcome, threads, fault }] of unwritten.entries()) {
      const earlier = remembered[i];
      if (earlier) await answerEarlier(item, earlier);
      else if (fault) item.fail(fault.error);
      else if (await changedMeanwhile(threads, failed)) enqueue(item);
      else item.settle(outcome ?? { events: [], repeated: false });
    }
  }

  function oneOfEach(batch: readonly Waiting<State, Command>[]): readonly Waiting<State, Command>[] {
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

  function publish(rows: readonly Stored[]) {
    try {
      committed(rows);
    } catch (error) {
      report(error);
    }
  }

  async function answerEarlier(item: Waiting<State, Command>, earlier: Remembered) {
    if (earlier.digest !== item.submission.digest) {
      item.settle(
        refuse(
          'command_reused',
          `The command id "${item.submission.id}" was already used for something else. Nothing was changed; send it again with a new id.`,
        ),
      );
      return;
    }
    item.settle({ events: await log.readAll(earlier.position - 1, earlier.count), repeated: true });
  }

  async function appendAll(entries: readonly Append[]): Promise<readonly Outcome[] | Error> {
    if (entries.length === 0) return [];
    try {
      return await log.append(entries);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async function settle(
    item: Waiting<State, Command>,
    append: Append,
    outcome: Outcome,
    made: Made<State> | undefined,
  ) {
    switch (outcome.status) {
      case 'committed':
        return item.settle({ events: storedOf(append, outcome.position), repeated: false, ...(made && { made }) });
      case 'repeated':
        return answerEarlier(item, outcome.earlier);
      case 'fenced':
        return item.settle(refuse('lease_lost', 'Another server has taken over this work; it goes on there.'));
      case 'conflict':
        return retry(item, outcome.thread);
    }
  }

  /** Another process appended first: decide again on what it wrote, for a while (L6). */
  function retry(item: Waiting<State, Command>, thread: string) {
    const now = performance.now();
    item.conflictsSince ??= now;
    if (now - item.conflictsSince > GIVE_UP_AFTER_MS) {
      item.settle(
        refuse('conflict', 'Others kept writing to this thread first. Nothing was stored; send it again.', { thread }),
      );
      return;
    }
    void later(Math.random() * 5).then(() => enqueue(item));
  }

  async function changedMeanwhile(threads: ReadonlySet<string>, failed: ReadonlySet<string>): Promise<boolean> {
    let changed = false;
    for (const thread of threads) changed = failed.has(thread) || (await states.refresh(thread)) || changed;
    return changed;
  }

  /** Waits until everything queued so far is settled. */
  async function idle() {
    while (unsettled.size > 0) await Promise.allSettled(unsettled);
  }

  return { handle, idle };
}

/** Of all that wait, so many as one transaction takes. */
function batchSize(queue: readonly { readonly length: number }[]): number {
  let [size, length] = [0, 0];
  while (size < Math.min(queue.length, LARGEST_BATCH) && (size === 0 || length < LARGEST_BATCH_TEXT)) {
    length += queue[size++]?.length ?? 0;
  }
  return size;
}

function keyOf({ submission }: { readonly submission: Submission<unknown> }): CommandKey {
  return { participant: submission.actor.id, id: submission.id };
}

type Writing = readonly { readonly append: Append }[];

function failedThreads(writing: Writing, outcomes: readonly Outcome[] | Error): ReadonlySet<string> {
  const failed = new Set<string>();
  for (const [i, { append }] of writing.entries()) {
    if (!(outcomes instanceof Error) && outcomes[i]?.status === 'committed') continue;
    for (const { thread } of append.expected) failed.add(thread);
  }
  return failed;
}

function publishable(writing: Writing, outcomes: readonly Outcome[]): Stored[] {
  return writing.flatMap(({ append }, i) => {
    const outcome = outcomes[i];
    return outcome?.status === 'committed' ? storedOf(append, outcome.position) : [];
  });
}

function storedOf(append: Append, position: number): Stored[] {
  return append.events.map(({ previous: _, ...sealed }, i) => ({ ...sealed, position: position + i }));
}

/** What cannot be decided fails alone (L23); a store that cannot be read fails everybody. */
async function decideAlone<State>(decide: () => Promise<Decided<State>>): Promise<Verdict<State>> {
  try {
    return await decide();
  } catch (error) {
    if (!isUnexplained(error)) throw error;
    return { outcome: undefined, threads: new Set(), fault: { error } };
  }
}

function isUnexplained(error: unknown): boolean {
  return !(error instanceof NoSpace || error instanceof StoreUnavailable);
}

function settleFailure(item: { settle(refusal: Refusal): void; fail(error: unknown): void }, error: Error) {
  if (error instanceof NoSpace) item.settle(refuse('no_space', error.message));
  else if (error instanceof StoreUnavailable) item.settle(refuse('store_unavailable', error.message));
  else item.fail(error);
}

/** Undefined for what is nested deeper than can be written: long before that it could not have been stored (L15). */
function textOf(command: unknown): string | undefined {
  try {
    return JSON.stringify(command);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tooDeep(): Refusal {
  return refuse('unacceptable_text', 'The content is nested too deep. Nothing was stored; send it with fewer levels.');
}
