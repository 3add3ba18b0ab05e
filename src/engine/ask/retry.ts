import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import { typeOf } from '../../log/event-log.ts';
import { withoutAdvice } from '../../models/fault.ts';
import type { Time } from '../../models/resilience/time.ts';
import type { Called, UsedByCall } from '../calls/calls.ts';
import type { Recoveries } from '../calls/recoveries.ts';
import type { Work } from '../jobs.ts';
import { faultOf, isPassing } from './faults.ts';
import { addUsage, type TokensUsed, usageOf } from './outcome.ts';

/*
 * How a model that cannot answer now is waited for (D31, T31). Everything that may wait goes through here: an iteration
 * of a mind, a mind of an exchange, an auditor, an agent in a thread.
 */

/** Where people wait for it themselves: an agent in a thread, a generation of a loom. */
const LONGEST_FOR_PEOPLE_MS = 600_000;
const SHORTEST_MS = 1_000;
const FIRST_MS = 5_000;
const LONGEST_MS = 300_000;
/** A server may ask to be left alone for longer; it is asked again after this all the same. */
const LONGEST_ASKED_MS = 3_600_000;
/** A server that still refuses after the short waits it asked for is asked less and less often all the same. */
const BELIEVED_TRIES = 2;

export interface Patience {
  readonly time: Time;
  readonly signal: AbortSignal;
  /** Says that it waits. Gives how long, or undefined where nobody wants the answer any more. `wasted` is as in `Answered`. */
  onWait(refused: Refusal, ms: number, wasted: TokensUsed): Promise<number | undefined>;
  /** Says that the model is asked again. */
  onRetry?(): Promise<unknown>;
  /** How long it may still wait; at 0, what was refused last stands. Without it, as long as it takes. */
  readonly leftMs?: () => number;
  /** What earlier calls for the same answer have used: it counts as wasted, too. */
  readonly used?: TokensUsed | undefined;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface Answered {
  /** Undefined when it was called off while it waited. */
  readonly called: Called | Refusal | undefined;
  /** Of the last call. */
  readonly latency_ms: number;
  /** What was used by calls that brought no answer. */
  readonly wasted: TokensUsed;
}

/**
 * Asks until there is an answer, or a fault that does not pass by itself. Much may have changed during a wait: `ask` looks
 * at everything again on every try, and gives undefined where nobody wants the answer any more.
 */
export async function askPatiently(
  ask: () => Promise<Called | Refusal | undefined>,
  patience: Patience,
  recoveries: Recoveries,
): Promise<Answered> {
  const { time, signal, onWait, leftMs = () => Number.POSITIVE_INFINITY, random = Math.random } = patience;
  let wasted: TokensUsed = patience.used ?? { prompt: 0, generated: 0 };
  for (let tries = 0; ; tries++) {
    const started = performance.now();
    const called = await ask();
    const latency_ms = Math.round(performance.now() - started);
    if (called && isRefusal(called) && called.refusal.spent) {
      wasted = addUsage(wasted, usageOf(called.refusal.spent as UsedByCall));
    }
    if (!called || !isRefusal(called) || !isPassing(called)) return { called, latency_ms, wasted };
    const left = leftMs();
    // Whoever asks to be left alone for longer than that would be asked for nothing.
    if (!signal.aborted && (left <= 0 || (faultOf(called)?.afterMs ?? 0) > left)) return { called, latency_ms, wasted };
    const wait = Math.min(waitAfter(called, tries, random), left);
    const ms = signal.aborted ? undefined : await onWait(called, wait, wasted);
    const hasRecovered = ms !== undefined && (await waitFor(called, ms, time, signal, recoveries));
    if (ms === undefined || signal.aborted) return { called: undefined, latency_ms, wasted };
    if (hasRecovered) tries = -1;
    await patience.onRetry?.();
  }
}

/**
 * What is left where people wait themselves, counted from the first wait: `since` is when that was, where it was before
 * this server had the job.
 */
export function limitWaiting(time: Time, now: () => number, since: string | undefined): () => number {
  const endAfter = (waitedMs: number) => time.now() + LONGEST_FOR_PEOPLE_MS - waitedMs;
  let end = since === undefined ? undefined : endAfter(Math.max(0, now() - Date.parse(since)));
  return () => {
    end ??= endAfter(0);
    return end - time.now();
  };
}

/** True if the wait was cut short because the model answered somebody else. What the server asked for is kept to. */
async function waitFor(
  refused: Refusal,
  ms: number,
  time: Time,
  signal: AbortSignal,
  recoveries: Recoveries,
): Promise<boolean> {
  const recovery = new AbortController();
  const asked = refused.refusal.code === 'rate_limited' ? Math.min(faultOf(refused)?.afterMs ?? 0, ms) : 0;
  if (asked > 0) await time.wait(asked, signal);
  const leave = recoveries.wait(String(refused.refusal.model), () => recovery.abort());
  try {
    await time.wait(ms - asked, AbortSignal.any([signal, recovery.signal]));
  } finally {
    leave();
  }
  return recovery.signal.aborted;
}

function waitAfter(refused: Refusal, tries: number, random: () => number): number {
  const { afterMs } = faultOf(refused) ?? {};
  // Between half and all of it, so that those who failed together do not come back together.
  const usual = Math.min(FIRST_MS * 2 ** tries, LONGEST_MS) * (0.5 + random() / 2);
  if (afterMs === undefined) return Math.ceil(usual);
  const least = tries < BELIEVED_TRIES ? SHORTEST_MS : usual;
  return Math.ceil(Math.min(Math.max(afterMs, least), LONGEST_ASKED_MS));
}

/** Why nothing came, where what passes by itself was waited for. `who` is who waits. */
export function whyGivenUp(refused: Refusal, who: string, next: string): string {
  const { message } = refused.refusal;
  if (!isPassing(refused)) return message;
  return `${message} ${who} waits ${LONGEST_FOR_PEOPLE_MS / 60_000} minutes at most: ${next}`;
}

/** What limits the waits of a run. */
interface WaitingRun {
  readonly budget: { readonly seconds?: number | undefined };
  readonly spent: { readonly since: string };
}

/** Writes waits of a run into the log, where all who look at it see them. None is longer than the run may take. */
export function reportWaits(
  work: Work<State, Command>,
  actor: Actor,
  runNow: (state: State) => WaitingRun | undefined,
  commandOf: (facts: WaitFacts) => Command,
): Patience['onWait'] {
  return async (refused, ms) => {
    const run = runNow(await work.state());
    const seconds = run?.budget.seconds ?? Number.POSITIVE_INFINITY;
    const end = run ? Date.parse(run.spent.since) + seconds * 1000 : Number.POSITIVE_INFINITY;
    return reportWait(work, actor, refused, Math.max(0, Math.min(ms, end - work.now())), commandOf);
  };
}

/** What every wait says of itself. */
interface WaitFacts {
  readonly thread: string;
  readonly why: string;
  readonly until: string;
  readonly blobs?: string[];
}

/** Says that it is waited so long; undefined where nobody wants the answer any more. */
export async function reportWait(
  work: Work<State, Command>,
  actor: Actor,
  refused: Refusal,
  wait: number,
  commandOf: (facts: WaitFacts) => Command,
): Promise<number | undefined> {
  const { message, raw } = refused.refusal as { message: string; raw?: string };
  const why = withoutAdvice(message, faultOf(refused));
  const until = new Date(work.now() + wait).toISOString();
  const command = commandOf({ thread: work.thread, why, until, ...(raw && { blobs: [raw] }) });
  const handled = await work.handle(actor, command, `${work.thread}/wait/${crypto.randomUUID()}`);
  // Where it cannot be written down just now, it is waited all the same.
  if (isRefusal(handled)) return handled.refusal.code === 'lease_lost' ? undefined : wait;
  const isTold = handled.events.some((event) => typeOf(event).endsWith('.waiting'));
  return isTold ? wait : undefined;
}
