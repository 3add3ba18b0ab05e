import type { Job } from '../../core/decider.ts';
import type { Actor } from '../../core/events/event.ts';
import type { AuditBasis } from '../../core/threads/audit/audit.ts';
import type { StreamedText } from '../../core/threads/events.ts';
import { AnswerJob } from '../../core/threads/jobs.ts';
import type { Wake } from '../../core/threads/state.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Time } from '../../models/resilience/time.ts';
import type { AskContext } from '../ask/ask.ts';
import { createWaitLimit, type RetryPolicy, reportWait } from '../ask/retry.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext } from '../jobs.ts';
import { createStepPerformer, type StepResult } from '../report/step.ts';
import { openTextStream, type TextStream } from '../streaming/text-stream.ts';
import { createPartialText, type PartialText } from './partial-text.ts';
import { usageBeforeWait, usageDuringWait } from './usage.ts';

export type AgentAnswer =
  | { readonly outcome: 'answered'; readonly text: string; readonly usage?: AnswerUsage; readonly audit?: AuditBasis }
  | {
      readonly outcome: 'declined' | 'failed';
      readonly reason: string;
      readonly usage?: AnswerUsage;
      /** What it had written when it was cut off. */
      readonly partial?: string;
    }
  /** Cancelled before it finished. */
  | { readonly outcome: 'cancelled' };
export type FinalAnswer = Exclude<AgentAnswer, { readonly outcome: 'cancelled' }>;
export type AnswerUsage = Readonly<Record<string, string | number | boolean>>;

export interface Invocation extends AskContext {
  readonly participant: string;
  /** The event that woke it. */
  readonly event: string;
  readonly seq: number;
  /** The newest event that this answer covers; later wakes up to it are answered together. */
  readonly upTo?: number;
  readonly state: State;
  /**
   * The same invocation with the current state: messages and settings may have changed during a wait, and the answer
   * covers them all. Undefined if the answer is no longer wanted, or another answerer now serves the participant.
   */
  refresh(): Promise<Invocation | undefined>;
  /** Opens a stream for the model's text; one for each call. */
  openStream(purpose: StreamedText['purpose']): TextStream;
  /** What the call that just failed had written; empty if nothing. */
  takePartial(): { readonly partial?: string };
}

/** Something that can answer for a participant: a model, a command-line agent. */
export interface Answerer {
  serves(participant: string, state: State): boolean;
  answer(invocation: Invocation): Promise<AgentAnswer>;
}

/** An agent waits at most this long for the one before it when the same message woke both (T13). */
const TURN_MS = 30_000;
const MAX_ANSWER_CHARS = 64 * 1024;

/**
 * Asks woken agents for their answers (T18). The policy decides who is woken, in which order and how often, and the log
 * records it; the coordinator only runs the agents and reports their results under their own ids.
 */
export function createCoordinator(
  answerers: readonly Answerer[],
  { secrets, pendingResults }: Pick<Models, 'secrets' | 'pendingResults'>,
  time: Time,
) {
  function accepts(job: Job, state: State): boolean {
    const target = AnswerJob.inputOf(job);
    return !target || answererFor(target.participant, state) !== undefined;
  }

  function answererFor(participant: string, state: State): Answerer | undefined {
    return answerers.find((each) => each.serves(participant, state));
  }

  const perform = createStepPerformer(pendingResults, {
    targetOf: AnswerJob.inputOf,
    async begin({ participant, event, seq, behind }, context) {
      if (behind !== undefined) await waitForOther(behind, event, context);
      if (context.signal.aborted) return undefined;
      const actor: Actor = { id: participant, kind: 'agent' };
      const state = await context.state();
      const wake = findOpenWake(state, participant, event);
      if (!wake) return undefined;
      const answerer = answererFor(participant, state);
      let upTo = answerUpTo(state, participant, seq);
      const { thread, signal, stopping } = context;
      const partial = createPartialText(secrets);
      const invocation: Invocation = {
        ...{ participant, event, seq, upTo, thread, state, signal, stopping },
        retryPolicy: retryPolicyFor(context, actor, wake, partial),
        async refresh() {
          const current = await context.state();
          if (!findOpenWake(current, participant, event) || answererFor(participant, current) !== answerer)
            return undefined;
          upTo = answerUpTo(current, participant, seq);
          return { ...invocation, state: current, upTo };
        },
        openStream: (purpose) =>
          partial.watch(openTextStream(context.sendLive, { job: context.job, from: participant, purpose }, secrets)),
        takePartial: partial.take,
      };
      return {
        actor,
        async work() {
          const answer = await (answerer?.answer(invocation) ?? noAnswerer(participant));
          // Cancelled because this server stops, by a pause or mute, or because another answerer took over. If the
          // answer is still wanted, the job runs again.
          if (answer.outcome === 'cancelled') return undefined;
          return toStepResult(thread, participant, event, upTo, answer);
        },
      };
    },
  });

  /** Shows everyone that the agent is waiting, why and until when, and when it thinks again. */
  function retryPolicyFor(
    context: JobContext<State, Command>,
    actor: Actor,
    { event, waiting, usage }: Wake,
    partial: PartialText,
  ): RetryPolicy {
    return {
      ...{
        time,
        signal: context.signal,
        remainingMs: createWaitLimit(time, context.now, waiting?.since),
        priorUsage: usageBeforeWait(usage),
      },
      async onWait(refusal, ms, wastedUsage) {
        await context.setPresence(actor, 'listening');
        // Stored with the wait, so that the event that ends it can report the usage (T18).
        const input = { event, ...usageDuringWait(refusal, wastedUsage), ...partial.take() };
        return reportWait(context, actor, refusal, ms, (facts) => ({
          name: 'wake_waits',
          input: { ...input, ...facts },
        }));
      },
      onRetry: () => context.setPresence(actor, 'thinking'),
    };
  }

  return {
    accepts,
    perform,
    serves: (participant: string, state: State) => answererFor(participant, state) !== undefined,
  };
}

function findOpenWake({ thread }: State, participant: string, event: string): Wake | undefined {
  return getOwn(thread.routing.wakes, participant)?.find((wake) => wake.event === event);
}

/** One answer covers every wake so far, except that each task gets its own result (T26). */
function answerUpTo({ thread }: State, participant: string, seq: number): number {
  const isTask = ({ event }: { readonly event: string }) => Object.hasOwn(thread.openTasks, event);
  const wakes = (getOwn(thread.routing.wakes, participant) ?? []).filter((wake) => wake.seq >= seq);
  const [first, ...later] = wakes;
  if (!first || isTask(first)) return seq;
  const nextTask = later.findIndex(isTask);
  return Math.max(seq, ...(nextTask < 0 ? later : later.slice(0, nextTask)).map((wake) => wake.seq));
}

async function waitForOther(other: string, event: string, context: JobContext<State, Command>) {
  const until = performance.now() + TURN_MS;
  for (;;) {
    const remaining = until - performance.now();
    if (remaining <= 0 || context.signal.aborted) return;
    const change = context.waitForChange(remaining);
    const { thread } = await context.state();
    if (!getOwn(thread.routing.wakes, other)?.some((wake) => wake.event === event)) return;
    await change;
  }
}

function toStepResult(
  thread: string,
  participant: string,
  event: string,
  upTo: number,
  answer: FinalAnswer,
): StepResult {
  const { usage } = answer;
  const result =
    answer.outcome === 'answered'
      ? { outcome: answer.outcome, text: truncateAnswer(answer.text), ...(answer.audit && { audit: answer.audit }) }
      : {
          outcome: answer.outcome,
          reason: answer.reason.slice(0, 2000),
          ...(answer.partial && { partial: answer.partial }),
        };
  const input = { thread, event, up_to: upTo, ...result, ...(usage && { usage }) };
  const isUsable = answer.outcome === 'answered';
  return { id: `answer/${event}/${participant}`, command: { name: 'answer', input }, isUsable };
}

function truncateAnswer(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= MAX_ANSWER_CHARS
    ? trimmed
    : `${trimmed.slice(0, MAX_ANSWER_CHARS)}\n\n[cut: the answer went on]`;
}

async function noAnswerer(participant: string): Promise<AgentAnswer> {
  return { outcome: 'failed', reason: `This server can no longer run ${participant}.` };
}
