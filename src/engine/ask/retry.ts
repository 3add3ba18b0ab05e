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
 * Waits for a model that cannot answer now (D31, T31). All waiting goes through here: iterations of a dialogue, minds
 * and auditors of an exchange, agents in a thread.
 */

/** Maximum wait while people are waiting: an agent in a thread, a generation of a loom. */
const MAX_PEOPLE_WAIT_MS = 600_000;
const MIN_WAIT_MS = 1_000;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 300_000;
/** Maximum wait that a server may request; after this we ask again anyway. */
const MAX_REQUESTED_WAIT_MS = 3_600_000;
/** After this many tries, back off even if the server keeps requesting short waits. */
const TRUSTED_TRIES = 2;

export interface RetryPolicy {
  readonly time: Time;
  readonly signal: AbortSignal;
  /**
   * Reports a wait. Returns how long to wait, or undefined if the answer is no longer wanted. `wastedUsage` is as in
   * `RetryOutcome`.
   */
  onWait(refusal: Refusal, ms: number, wastedUsage: TokenUsage): Promise<number | undefined>;
  onRetry?(): Promise<unknown>;
  /** Time left to wait; at 0, the last refusal is final. Without it, there is no limit. */
  readonly remainingMs?: () => number;
  /** Usage of earlier calls for the same answer; it counts as wasted too. */
  readonly priorUsage?: TokenUsage | undefined;
  /** From 0 to 1. */
  readonly random?: () => number;
}

export interface RetryOutcome {
  /** Undefined if cancelled while waiting. */
  readonly reply: CallReply | Refusal | undefined;
  readonly latency_ms: number;
  /** Usage of the calls that brought no answer. */
  readonly wastedUsage: TokenUsage;
}

/**
 * Asks until there is an answer or a fault that does not pass by itself. Much may change during a wait, so `ask` reads
 * everything again on every try, and returns undefined if the answer is no longer wanted.
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
    // If the server asks for more time than remains, waiting is pointless.
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
 * Returns the time left to wait while people are waiting, counted from the first wait. `since` is the start of that
 * wait if it began before this server took the job.
 */
export function createWaitLimit(time: Time, now: () => number, since: string | undefined): () => number {
  const endAfter = (waitedMs: number) => time.now() + MAX_PEOPLE_WAIT_MS - waitedMs;
  let end = since === undefined ? undefined : endAfter(Math.max(0, now() - Date.parse(since)));
  return () => {
    end ??= endAfter(0);
    return end - time.now();
  };
}

/**
 * True if the wait ended early because the model answered another caller. A delay that the server requested is always
 * kept.
 */
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
  // Jitter between half and all of the delay, so that callers that failed together do not retry together.
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** tries, MAX_WAIT_MS) * (0.5 + random() / 2);
  if (afterMs === undefined) return Math.ceil(backoff);
  const minimum = tries < TRUSTED_TRIES ? MIN_WAIT_MS : backoff;
  return Math.ceil(Math.min(Math.max(afterMs, minimum), MAX_REQUESTED_WAIT_MS));
}

/** The message after giving up on a transient fault. `who` names the one that waited. */
export function giveUpReason(refusal: Refusal, who: string, next: string): string {
  const { message } = refusal.refusal;
  if (!isTransient(refusal)) return message;
  return `${message} ${who} waits ${MAX_PEOPLE_WAIT_MS / 60_000} minutes at most: ${next}`;
}

export interface RunLimits {
  readonly budget: { readonly seconds?: number | undefined };
  readonly spent: { readonly since: string };
}

/** Records a run's waits in the log, where everyone sees them. A wait never exceeds the run's time budget. */
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
    const { partial } = refusal.refusal as { partial?: string };
    const buildWait = (facts: WaitReport) => buildCommand({ ...facts, ...(partial !== undefined && { partial }) });
    return reportWait(context, actor, refusal, Math.max(0, Math.min(ms, end - context.now())), buildWait);
  };
}

export interface WaitReport {
  readonly thread: string;
  readonly why: string;
  readonly until: string;
  /** The beginning of an answer that broke off. */
  readonly partial?: string;
  readonly blobs?: string[];
}

/** Records a wait and returns its length; undefined if the answer is no longer wanted. */
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
  const command = buildCommand({
    thread: context.thread,
    why,
    until,
    ...(raw && { blobs: [raw] }),
  });
  const result = await context.handle(actor, command, `${context.thread}/wait/${crypto.randomUUID()}`);
  // If the wait cannot be recorded now, wait anyway.
  if (isRefusal(result)) return result.refusal.code === 'lease_lost' ? undefined : delay;
  const isRecorded = result.events.some((event) => eventTypeOf(event).endsWith('.waiting'));
  return isRecorded ? delay : undefined;
}
