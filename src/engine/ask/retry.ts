import type { Actor } from '../../core/events/event.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import { eventTypeOf } from '../../log/event-log.ts';
import { withoutAdvice } from '../../models/fault.ts';
import type { Time } from '../../models/resilience/time.ts';
import type { CallCost, CallReply } from '../calls/calls.ts';
import type { Recoveries } from '../calls/recoveries.ts';
import type { JobContext } from '../jobs.ts';
import { faultOf, isTransient } from './faults.ts';
import { addUsage, type TokenUsage, usageOf } from './outcome.ts';

/*
 * How a model that cannot answer now is waited for (D31, T31). Everything that may wait goes through here: an iteration
 * of a mind, a mind of an exchange, an auditor, an agent in a thread.
 */

/** Where people wait for it themselves: an agent in a thread, a generation of a loom. */
const MAX_PEOPLE_WAIT_MS = 600_000;
const MIN_WAIT_MS = 1_000;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 300_000;
/** A server may ask to be left alone for longer; it is asked again after this all the same. */
const MAX_REQUESTED_WAIT_MS = 3_600_000;
/** A server that still refuses after the short waits it asked for is asked less and less often all the same. */
const TRUSTED_TRIES = 2;

export interface RetryPolicy {
  readonly time: Time;
  readonly signal: AbortSignal;
  /** Says that it waits. Gives how long, or undefined where nobody wants the answer any more. `wastedUsage` is as in `RetryOutcome`. */
  onWait(refusal: Refusal, ms: number, wastedUsage: TokenUsage): Promise<number | undefined>;
  /** Says that the model is asked again. */
  onRetry?(): Promise<unknown>;
  /** How long it may still wait; at 0, what was refused last stands. Without it, as long as it takes. */
  readonly remainingMs?: () => number;
  /** What earlier calls for the same answer have used: it counts as wasted, too. */
  readonly priorUsage?: TokenUsage | undefined;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface RetryOutcome {
  /** Undefined when it was called off while it waited. */
  readonly reply: CallReply | Refusal | undefined;
  /** Of the last call. */
  readonly latency_ms: number;
  /** What was used by calls that brought no answer. */
  readonly wastedUsage: TokenUsage;
}

/**
 * Asks until there is an answer, or a fault that does not pass by itself. Much may have changed during a wait: `ask` looks
 * at everything again on every try, and gives undefined where nobody wants the answer any more.
 */
export async function askWithRetry(
  ask: () => Promise<CallReply | Refusal | undefined>,
  policy: RetryPolicy,
  recoveries: Recoveries,
): Promise<RetryOutcome> {
  const { time, signal, onWait, remainingMs = () => Number.POSITIVE_INFINITY, random = Math.random } = policy;
  let wastedUsage: TokenUsage = policy.priorUsage ?? { prompt: 0, generated: 0 };
  for (let tries = 0; ; tries++) {
    const startedAt = performance.now();
    const reply = await ask();
    const latency_ms = Math.round(performance.now() - startedAt);
    if (reply && isRefusal(reply) && reply.refusal.spent) {
      wastedUsage = addUsage(wastedUsage, usageOf(reply.refusal.spent as CallCost));
    }
    if (!reply || !isRefusal(reply) || !isTransient(reply)) return { reply, latency_ms, wastedUsage };
    const remaining = remainingMs();
    // Whoever asks to be left alone for longer than that would be asked for nothing.
    if (!signal.aborted && (remaining <= 0 || (faultOf(reply)?.afterMs ?? 0) > remaining))
      return { reply, latency_ms, wastedUsage };
    const delay = Math.min(retryDelay(reply, tries, random), remaining);
    const ms = signal.aborted ? undefined : await onWait(reply, delay, wastedUsage);
    const hasRecovered = ms !== undefined && (await waitForRetry(reply, ms, time, signal, recoveries));
    if (ms === undefined || signal.aborted) return { reply: undefined, latency_ms, wastedUsage };
    if (hasRecovered) tries = -1;
    await policy.onRetry?.();
  }
}

/**
 * What is left where people wait themselves, counted from the first wait: `since` is when that was, where it was before
 * this server had the job.
 */
export function createWaitLimit(time: Time, now: () => number, since: string | undefined): () => number {
  const endAfter = (waitedMs: number) => time.now() + MAX_PEOPLE_WAIT_MS - waitedMs;
  let end = since === undefined ? undefined : endAfter(Math.max(0, now() - Date.parse(since)));
  return () => {
    end ??= endAfter(0);
    return end - time.now();
  };
}

/** True if the wait was cut short because the model answered somebody else. What the server asked for is kept to. */
async function waitForRetry(
  refusal: Refusal,
  ms: number,
  time: Time,
  signal: AbortSignal,
  recoveries: Recoveries,
): Promise<boolean> {
  const recovery = new AbortController();
  const requestedMs = refusal.refusal.code === 'rate_limited' ? Math.min(faultOf(refusal)?.afterMs ?? 0, ms) : 0;
  if (requestedMs > 0) await time.wait(requestedMs, signal);
  const stopWaiting = recoveries.wait(String(refusal.refusal.model), () => recovery.abort());
  try {
    await time.wait(ms - requestedMs, AbortSignal.any([signal, recovery.signal]));
  } finally {
    stopWaiting();
  }
  return recovery.signal.aborted;
}

function retryDelay(refusal: Refusal, tries: number, random: () => number): number {
  const { afterMs } = faultOf(refusal) ?? {};
  // Between half and all of it, so that those who failed together do not come back together.
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** tries, MAX_WAIT_MS) * (0.5 + random() / 2);
  if (afterMs === undefined) return Math.ceil(backoff);
  const minimum = tries < TRUSTED_TRIES ? MIN_WAIT_MS : backoff;
  return Math.ceil(Math.min(Math.max(afterMs, minimum), MAX_REQUESTED_WAIT_MS));
}

/** Why nothing came, where what passes by itself was waited for. `who` is who waits. */
export function giveUpReason(refusal: Refusal, who: string, next: string): string {
  const { message } = refusal.refusal;
  if (!isTransient(refusal)) return message;
  return `${message} ${who} waits ${MAX_PEOPLE_WAIT_MS / 60_000} minutes at most: ${next}`;
}

/** What limits the waits of a run. */
interface RunLimits {
  readonly budget: { readonly seconds?: number | undefined };
  readonly spent: { readonly since: string };
}

/** Writes waits of a run into the log, where all who look at it see them. None is longer than the run may take. */
export function createRunWaitReporter(
  context: JobContext<State, Command>,
  actor: Actor,
  currentRun: (state: State) => RunLimits | undefined,
  buildCommand: (facts: WaitReport) => Command,
): RetryPolicy['onWait'] {
  return async (refusal, ms) => {
    const run = currentRun(await context.state());
    const seconds = run?.budget.seconds ?? Number.POSITIVE_INFINITY;
    const end = run ? Date.parse(run.spent.since) + seconds * 1000 : Number.POSITIVE_INFINITY;
    return reportWait(context, actor, refusal, Math.max(0, Math.min(ms, end - context.now())), buildCommand);
  };
}

/** What every wait says of itself. */
interface WaitReport {
  readonly thread: string;
  readonly why: string;
  readonly until: string;
  readonly blobs?: string[];
}

/** Says that it is waited so long; undefined where nobody wants the answer any more. */
export async function reportWait(
  context: JobContext<State, Command>,
  actor: Actor,
  refusal: Refusal,
  delay: number,
  buildCommand: (facts: WaitReport) => Command,
): Promise<number | undefined> {
  const { message, raw } = refusal.refusal as { message: string; raw?: string };
  const why = withoutAdvice(message, faultOf(refusal));
  const until = new Date(context.now() + delay).toISOString();
  const command = buildCommand({ thread: context.thread, why, until, ...(raw && { blobs: [raw] }) });
  const result = await context.handle(actor, command, `${context.thread}/wait/${crypto.randomUUID()}`);
  // Where it cannot be written down just now, it is waited all the same.
  if (isRefusal(result)) return result.refusal.code === 'lease_lost' ? undefined : delay;
  const isRecorded = result.events.some((event) => eventTypeOf(event).endsWith('.waiting'));
  return isRecorded ? delay : undefined;
}
