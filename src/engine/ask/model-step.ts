import type { Actor } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { Chat, Model } from '../../models/model.ts';
import type { Time } from '../../models/resilience/time.ts';
import type { CallOptions, CallReply, FittableRequest } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { Step, StepContext } from '../report/step.ts';
import { openTextStream } from '../streaming/text-stream.ts';
import { type AskAttempt, askModel } from './ask.ts';
import {
  type AskFailure,
  budgetsIn,
  CANCELLED,
  failureOf,
  type Mistake,
  malformedResult,
  type TokenUsage,
  TRUNCATED,
  WITHHELD,
} from './outcome.ts';
import { createRunWaitReporter, type RunLimits, type WaitReport } from './retry.ts';

/* Steps of a run that ask a mind or an auditor: runs, waits and reports, but nothing of what a step is about. */

/** What a mind or an auditor is asked, and how to read its answer. */
export interface StepQuestion<Result, Shown, Framed> {
  fit(model: Model, seed: number, mistake?: Mistake): FittableRequest<Chat>;
  /** Builds the request for a small model, which sees less and only fills the holes of a frame (M3). */
  frame(seed: number): { readonly request: Chat; readonly framed: Framed };
  /** Describes what the model saw, without the parts that did not fit. */
  describeShown(reply: CallReply, framed?: Framed): Shown;
  /** The same description when no model could be asked. */
  readonly nothingShown: Shown;
  read(text: string): ParsedAnswer<Result> | MalformedOutput;
}

export interface ParsedAnswer<Result> {
  readonly result: Result;
  readonly cleaned?: true;
}

export interface ModelStep<Result, Shown, Framed> {
  readonly actor: Actor;
  readonly purpose: 'mind' | 'auditor';
  /** The model's key in the registry; null for the registry's default. */
  readonly model: string | null;
  readonly seed: number;
  readonly run: {
    readonly run: number;
    readonly resumed: number;
    readonly budget: NonNullable<CallOptions['budgets']>['run'];
  };
  readonly question: StepQuestion<Result, Shown, Framed>;
  /** Records that the run waits for the model (D31). */
  readonly wait: {
    readonly actor: Actor;
    currentRun(state: State): RunLimits | undefined;
    buildCommand(facts: WaitReport): Command;
  };
  buildReport(facts: StepFacts<Result> & Shown): Command;
}

/** The fields that every report of a step has. */
interface StepFacts<Result> {
  readonly thread: string;
  readonly seed: number;
  readonly model: string;
  readonly small?: true;
  readonly usage: TokenUsage;
  readonly latency_ms: number;
  readonly repaired?: true;
  readonly cleaned?: true;
  readonly blobs?: string[];
  readonly result: Result | { malformed: string } | AskFailure;
}

/** A step that asks a model: shows its text as it comes, records its waits, and reports its answer once. */
export function createModelStep<Result extends object, Shown extends object, Framed>(
  models: Models,
  time: Time,
  context: StepContext,
  step: ModelStep<Result, Shown, Framed>,
): Step {
  return {
    actor: step.actor,
    async work() {
      const facts = await ask(models, time, context, step);
      if (!facts) return undefined;
      const isUsable = !('error' in facts.result || 'malformed' in facts.result);
      return { command: step.buildReport(facts), isUsable };
    },
  };
}

/** Undefined if cancelled before any tokens were used. */
async function ask<Result extends object, Shown extends object, Framed>(
  models: Models,
  time: Time,
  context: StepContext,
  { actor, purpose, seed, run, question, wait, ...step }: ModelStep<Result, Shown, Framed>,
): Promise<(StepFacts<Result> & Shown) | undefined> {
  const { registry, secrets } = models;
  const { thread, job, signal, stopping } = context;
  const name = step.model ?? registry.defaultFor(purpose);
  const facts = { thread, seed, model: name };
  const model = await registry.open(name);
  if (isRefusal(model)) {
    const result = { ...failureOf(model), lasting: true as const };
    return { ...facts, ...question.nothingShown, usage: { prompt: 0, generated: 0 }, latency_ms: 0, result };
  }
  let frame: { readonly request: Chat; readonly framed: Framed } | undefined;
  const onWait = createRunWaitReporter(context, wait.actor, wait.currentRun, wait.buildCommand);
  const attempts = await askModel(
    models,
    { thread, signal, stopping, retryPolicy: { time, signal, onWait } },
    {
      async buildCall(mistake) {
        const attemptSeed = mistake ? seed + 1 : seed;
        frame = model.capabilities.frame ? question.frame(attemptSeed) : undefined;
        const request = frame?.request ?? question.fit(model, attemptSeed, mistake);
        // The thread's budget may change during a wait (M7); the run's cannot while a model is being asked.
        const budgets = { ...budgetsIn((await context.state()).thread), run: run.budget };
        return { model: name, purpose, run: `${thread}/${run.run}.${run.resumed}`, budgets, request };
      },
      read({ reason, withheld, text }) {
        if (reason === 'length' && !frame) return TRUNCATED;
        const output = withheld ? WITHHELD : question.read(text);
        return 'malformed' in output ? output : { value: output };
      },
      openStream: () => openTextStream(context.sendLive, { job, from: actor.id, purpose }, secrets),
    },
  );
  // An attempt that used nothing counts as if the model had never been asked.
  const counted = attempts.filter((each) => each.kind !== 'cancelled' || !each.isUnused);
  const last = counted.at(-1);
  if (!last) return undefined;
  const reply = 'reply' in last ? last.reply : undefined;
  const blobs = counted.flatMap((each) => rawOf(each) ?? []);
  return {
    ...facts,
    ...(reply ? question.describeShown(reply, frame?.framed) : question.nothingShown),
    ...(reply?.label && { small: true as const }),
    usage: last.usage,
    latency_ms: counted.reduce((sum, each) => sum + each.latency_ms, 0),
    ...(blobs.length > 0 && { blobs }),
    ...readingOf(last),
    ...(counted.length > 1 && { repaired: true as const }),
  };
}

function readingOf<Result>(
  attempt: AskAttempt<ParsedAnswer<Result>>,
): ParsedAnswer<Result | { malformed: string } | AskFailure> {
  switch (attempt.kind) {
    case 'answered':
      return attempt.value;
    case 'malformed':
      return { result: malformedResult(attempt.output) };
    case 'refused':
      return { result: failureOf(attempt.refusal) };
    case 'cancelled':
      return { result: { error: CANCELLED } };
  }
}

function rawOf(attempt: AskAttempt<unknown>): string | undefined {
  if (attempt.kind === 'refused') return attempt.refusal.refusal.raw as string | undefined;
  return attempt.reply?.raw;
}
