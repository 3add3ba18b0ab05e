import type { Job } from '../../core/decider.ts';
import type { Actor } from '../../core/events/event.ts';
import type { Refusal } from '../../core/refusal.ts';
import type { AuditBasis } from '../../core/threads/audit/audit.ts';
import type { TextStreamed } from '../../core/threads/events.ts';
import type { Wake } from '../../core/threads/state.ts';
import { own } from '../../core/util/get-own.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import { limitWaiting, type Patience, reportWait, whyGivenUp } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { Perform, Work } from '../jobs.ts';
import { type Result, report, reportKept } from '../report/report.ts';
import { openTextStream, type TextStream } from '../streaming/text-stream.ts';
import { usageUntil, usedBefore } from './usage.ts';

/** What an agent did when it was asked. */
export type Answered =
  | { readonly outcome: 'answered'; readonly text: string; readonly usage?: Usage; readonly audit?: AuditBasis }
  | { readonly outcome: 'declined' | 'failed'; readonly reason: string; readonly usage?: Usage }
  /** It was called off before it had finished. */
  | { readonly outcome: 'cancelled' };
type Finished = Exclude<Answered, { readonly outcome: 'cancelled' }>;
export type Usage = Readonly<Record<string, string | number | boolean>>;

export interface Asked {
  readonly participant: string;
  /** The event that woke it. */
  readonly event: string;
  readonly seq: number;
  /** Later events that woke it are answered along with it, up to here. */
  readonly upTo?: number;
  readonly thread: string;
  readonly state: State;
  readonly signal: AbortSignal;
  /** The end of this process: until then, what came is stored as often as that has to be tried (W28). */
  readonly stopping: AbortSignal;
  /** How a model that cannot answer now is waited for (T31). */
  readonly patience: Patience;
  /**
   * The same as things are now: much may have been said and set during a wait, and the answer is for all of it. Undefined
   * where it is not wanted any more, or not from this answerer.
   */
  renew(): Promise<Asked | undefined>;
  /** Where the text of a model goes as it comes; one for each call. */
  openStream(purpose: TextStreamed['purpose']): TextStream;
}

/** Something that can answer for a participant: a model, a command-line agent. */
export interface Answerer {
  /** Can it answer for this participant? */
  serves(participant: string, state: State): boolean;
  answer(asked: Asked): Promise<Answered>;
}

/** Agents who hear the same words wait so long for the one before them (T13). */
const TURN_MS = 30_000;
const LONGEST_ANSWER = 64 * 1024;

/**
 * Asks agents that were woken for their answer (T18). Who is woken, in which order and how often, the policy has decided
 * and the log has recorded; this only runs them and reports, under their own ids, what came of it.
 */
export function createCoordinator(
  answerers: readonly Answerer[],
  { secrets, finished }: Pick<Models, 'secrets' | 'finished'>,
  time: Time,
) {
  function accepts({ kind, input }: Job, state: State): boolean {
    if (kind !== 'agent.answer') return true;
    const { participant } = input as unknown as Wanted;
    return answererFor(participant, state) !== undefined;
  }

  function answererFor(participant: string, state: State): Answerer | undefined {
    return answerers.find((each) => each.serves(participant, state));
  }

  const perform: Perform<State, Command> = async (job, work) => {
    const { participant, event, seq, behind } = job.input as unknown as Wanted;
    const keep = { finished, job: job.key };
    if (await reportKept(work, keep)) return;
    if (behind !== undefined) await waitFor(behind, event, work);
    if (work.signal.aborted) return;
    const actor: Actor = { id: participant, kind: 'agent' };
    const state = await work.state();
    const wake = openWake(state, participant, event);
    if (!wake) return;
    const answerer = answererFor(participant, state);
    let upTo = answeredUpTo(state, participant, seq);
    await work.present(actor, 'thinking');
    try {
      const asked: Asked = {
        ...{ participant, event, seq, upTo, thread: work.thread, state },
        ...{ signal: work.signal, stopping: work.stopping },
        patience: patienceOf(work, actor, wake),
        async renew() {
          const now = await work.state();
          if (!openWake(now, participant, event) || answererFor(participant, now) !== answerer) return undefined;
          upTo = answeredUpTo(now, participant, seq);
          return { ...asked, state: now, upTo };
        },
        openStream: (purpose) => openTextStream(work.tell, { job: job.key, from: participant, purpose }, secrets),
      };
      const answered = await (answerer?.answer(asked) ?? gone(participant));
      // Called off with this server, by a pause or a mute, or because somebody else answers for it now: where it is still wanted, it is asked again.
      if (answered.outcome === 'cancelled') return;
      if (work.signal.aborted && !work.unwanted() && answered.outcome !== 'answered') return;
      await report(work, { actor, ...resultOf(work.thread, actor.id, event, upTo, answered) }, keep);
    } finally {
      await work.present(actor, 'listening');
    }
  };

  /** Everybody sees that it waits, why and until when, and that it thinks again then. */
  function patienceOf(work: Work<State, Command>, actor: Actor, { event, waiting, usage }: Wake): Patience {
    return {
      ...{ time, signal: work.signal, leftMs: limitWaiting(time, work.now, waiting?.since), used: usedBefore(usage) },
      async onWait(refused, ms, wasted) {
        await work.present(actor, 'listening');
        // With the wait, so that whatever ends it can tell what was used (T18).
        const input = { event, ...usageUntil(refused, wasted) };
        return reportWait(work, actor, refused, ms, (facts) => ({ name: 'wake_waits', input: { ...input, ...facts } }));
      },
      onRetry: () => work.present(actor, 'thinking'),
    };
  }

  return {
    accepts,
    perform,
    serves: (participant: string, state: State) => answererFor(participant, state) !== undefined,
  };
}

interface Wanted {
  readonly participant: string;
  readonly event: string;
  readonly seq: number;
  readonly behind?: string;
}

function openWake({ thread }: State, participant: string, event: string): Wake | undefined {
  return own(thread.routing.wakes, participant)?.find((wake) => wake.event === event);
}

/** One answer is for everything that woke an agent meanwhile, but each task has a result of its own (T26). */
function answeredUpTo({ thread }: State, participant: string, seq: number): number {
  const isTask = ({ event }: { readonly event: string }) => Object.hasOwn(thread.openTasks, event);
  const wakes = (own(thread.routing.wakes, participant) ?? []).filter((wake) => wake.seq >= seq);
  const [first, ...later] = wakes;
  if (!first || isTask(first)) return seq;
  const nextTask = later.findIndex(isTask);
  return Math.max(seq, ...(nextTask < 0 ? later : later.slice(0, nextTask)).map((wake) => wake.seq));
}

async function waitFor(other: string, event: string, work: Work<State, Command>) {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const left = until - performance.now();
    if (left <= 0 || work.signal.aborted) return;
    const changed = work.changed(left);
    const { thread } = await work.state();
    if (!own(thread.routing.wakes, other)?.some((wake) => wake.event === event)) return;
    await changed;
  }
}

function resultOf(
  thread: string,
  participant: string,
  event: string,
  upTo: number,
  answered: Finished,
): Omit<Result, 'actor'> {
  const { usage } = answered;
  const result =
    answered.outcome === 'answered'
      ? { outcome: answered.outcome, text: bounded(answered.text), ...(answered.audit && { audit: answered.audit }) }
      : { outcome: answered.outcome, reason: answered.reason.slice(0, 2000) };
  const input = { thread, event, up_to: upTo, ...result, ...(usage && { usage }) };
  return { id: `answer/${event}/${participant}`, command: { name: 'answer', input } };
}

/** Why an agent whose model was refused does not answer. */
export function whyFailed(refused: Refusal): string {
  return whyGivenUp(refused, 'An agent', 'ask it to reply again later.');
}

function bounded(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= LONGEST_ANSWER
    ? trimmed
    : `${trimmed.slice(0, LONGEST_ANSWER)}\n\n[cut: the answer went on]`;
}

async function gone(participant: string): Promise<Answered> {
  return { outcome: 'failed', reason: `Nobody here can run ${participant} any more.` };
}
