import { isRefusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { Chat, ChatMessage, Model } from '../../models/model.ts';
import type { CallOptions, CallReply, FittableRequest } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { JobContext } from '../jobs.ts';
import { openTextStream } from '../streaming/text-stream.ts';
import {
  type AskFailure,
  addUsage,
  budgetsIn,
  CANCELLED,
  failureOf,
  type Mistake,
  malformedOutcome,
  mergeAttempts,
  type TokenUsage,
  TRUNCATED,
  usageOf,
  WITHHELD,
} from './outcome.ts';
import { askWithRetry, type RetryPolicy } from './retry.ts';

/** A question to a mind or an auditor, and how to read the answer. */
export interface ModelQuestion<Result, Shown, Framed> {
  readonly purpose: 'mind' | 'auditor';
  /** The model's key in the registry; null for the registry's default. */
  readonly model: string | null;
  readonly seed: number;
  readonly run: string;
  /** The participant and the job; both label the text that is streamed live (M12). */
  readonly from: string;
  readonly job: string;
  /** The run's budget. */
  readonly budget: NonNullable<CallOptions['budgets']>['run'];
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

interface AttemptFacts<Result> {
  readonly small?: true;
  readonly usage: TokenUsage;
  readonly latency_ms: number;
  readonly repaired?: true;
  readonly cleaned?: true;
  readonly blobs?: string[];
  readonly result: Result | { malformed: string } | AskFailure;
}

const MAX_REMINDER_CHARS = 4000;
const NOTHING_USED = { usage: { prompt: 0, generated: 0 }, latency_ms: 0 };

/**
 * Asks a model. If the answer cannot be read, asks once more and says what was wrong (D11). Undefined if cancelled
 * before any tokens were used.
 */
export async function askModel<Result extends object, Shown extends object, Framed>(
  { calls, registry, secrets }: Models,
  context: JobContext<State, Command>,
  question: ModelQuestion<Result, Shown, Framed>,
  retryPolicy: RetryPolicy,
): Promise<(AttemptFacts<Result> & Shown & { readonly model: string }) | undefined> {
  type Attempt = AttemptFacts<Result> & Shown;
  const unanswered = { ...NOTHING_USED, ...question.nothingShown };
  const name = question.model ?? registry.defaultFor(question.purpose);
  const model = await registry.open(name);
  if (isRefusal(model)) return { model: name, ...unanswered, result: { ...failureOf(model), lasting: true } };
  const options: CallOptions = {
    ...{ model: name, purpose: question.purpose, thread: context.thread, run: `${context.thread}/${question.run}` },
    signal: context.signal,
    stopping: context.stopping,
    isPatient: true,
    openStream: () => openTextStream(context.sendLive, question, secrets),
  };
  const first = await attempt(model, question.seed);
  if (!first) return undefined;
  if (first.mistake === undefined || context.signal.aborted) return { model: name, ...first.outcome };
  const second = await attempt(model, question.seed + 1, first.mistake);
  return { model: name, ...(second ? mergeAttempts(first.outcome, second.outcome) : first.outcome) };

  async function attempt(
    model: Model,
    seed: number,
    mistake?: Mistake,
  ): Promise<{ outcome: Attempt; mistake?: Mistake } | undefined> {
    const frame = model.capabilities.frame ? question.frame(seed) : undefined;
    const request = frame?.request ?? question.fit(model, seed, mistake);
    const chat = async () => {
      // Read the thread's budget on every try: it may change during a wait (M7). The run's budget cannot change while a
      // model is being asked.
      const { thread } = await context.state();
      return calls.chat(request, { ...options, budgets: { ...budgetsIn(thread), run: question.budget } });
    };
    const { reply, latency_ms, wastedUsage } = await askWithRetry(chat, retryPolicy, calls.recoveries);
    if (!reply) {
      // Nothing was used, so act as if the model had never been asked.
      if (wastedUsage.prompt + wastedUsage.generated === 0) return undefined;
      return { outcome: { ...unanswered, usage: wastedUsage, result: { error: CANCELLED } } };
    }
    if (isRefusal(reply)) {
      const raw = reply.refusal.raw as string | undefined;
      const blobs = raw === undefined ? {} : { blobs: [raw] };
      return { outcome: { ...unanswered, usage: wastedUsage, latency_ms, result: failureOf(reply), ...blobs } };
    }
    const facts = {
      ...question.describeShown(reply, frame?.framed),
      ...(reply.label && { small: true as const }),
      ...{ usage: addUsage(wastedUsage, usageOf(reply)), latency_ms, blobs: [reply.raw] },
    };
    const [choice] = reply.choices;
    if (!choice || choice.reason === 'cancelled') return { outcome: { ...facts, result: { error: CANCELLED } } };
    const isTruncated = choice.reason === 'length' && !frame;
    const output = isTruncated ? TRUNCATED : choice.withheld ? WITHHELD : question.read(choice.text);
    if ('malformed' in output) {
      const { result, mistake } = malformedOutcome(choice.text, output);
      return { outcome: { ...facts, result }, mistake };
    }
    return { outcome: { ...facts, ...output } };
  }
}

/** Messages that show the model its mistake and ask it to repair it. */
export function repairMessages({ text, why }: Mistake, problem: string, form: string): readonly ChatMessage[] {
  return [
    { role: 'assistant', content: text.slice(0, MAX_REMINDER_CHARS) || '(nothing)' },
    { role: 'user', content: `${problem} ${why} ${form}` },
  ];
}
