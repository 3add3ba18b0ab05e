import { isRefusal, type Refusal } from '../../core/refusal.ts';
import type { StreamedText } from '../../core/threads/events.ts';
import type { MalformedOutput } from '../../formats/mind/output.ts';
import type { Chat, ChatMessage } from '../../models/model.ts';
import type { CallChoice, CallOptions, CallReply, FittableRequest } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { TextStream } from '../streaming/text-stream.ts';
import { addUsage, type Mistake, mistakeIn, type TokenUsage, usageOf } from './outcome.ts';
import { askWithRetry, type RetryPolicy } from './retry.ts';

/** For whom a model is asked, until when, and how to wait for it. */
export interface AskContext {
  readonly thread: string;
  readonly signal: AbortSignal;
  /** Aborted when this process ends. */
  readonly stopping: AbortSignal;
  readonly retryPolicy: RetryPolicy;
}

type Purpose = StreamedText['purpose'];

export interface ModelCall extends Pick<CallOptions, 'model' | 'run' | 'budgets'> {
  readonly purpose: Purpose;
  readonly request: Chat | FittableRequest<Chat>;
}

export interface ModelQuestion<Value> {
  /**
   * Builds the call anew for every try, because much may change during a wait. Undefined if the answer is no longer
   * wanted. `mistake` is what was wrong with the answer before.
   */
  buildCall(mistake: Mistake | undefined): Promise<ModelCall | Refusal | undefined>;
  read(choice: CallChoice, reply: CallReply): { readonly value: Value } | MalformedOutput;
  /** Opens a live stream of the text; one for each call. */
  openStream(purpose: Purpose): TextStream;
}

export type AskAttempt<Value> = {
  /** Usage of all calls so far, those of earlier attempts included. */
  readonly usage: TokenUsage;
  readonly latency_ms: number;
} & (
  | { readonly kind: 'answered'; readonly reply: CallReply; readonly value: Value }
  | { readonly kind: 'malformed'; readonly reply: CallReply; readonly text: string; readonly output: MalformedOutput }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'cancelled'; readonly reply?: CallReply; readonly isUnused: boolean }
);

/** The options of a call whose waits `retryPolicy` handles. */
export function patientOptions({ thread, signal, stopping }: AskContext) {
  return { thread, signal, stopping, isPatient: true } as const;
}

/** Asks a model. If the answer cannot be read, asks once more and says what was wrong (D11): one or two attempts. */
export async function askModel<Value>(
  { calls }: Pick<Models, 'calls'>,
  context: AskContext,
  question: ModelQuestion<Value>,
): Promise<readonly AskAttempt<Value>[]> {
  const { retryPolicy, signal } = context;
  const first = await attempt(retryPolicy.priorUsage ?? { prompt: 0, generated: 0 });
  if (first.kind !== 'malformed' || signal.aborted) return [first];
  return [first, await attempt(first.usage, mistakeIn(first.text, first.output))];

  async function attempt(priorUsage: TokenUsage, mistake?: Mistake): Promise<AskAttempt<Value>> {
    const ask = async () => {
      const call = await question.buildCall(mistake);
      if (!call || isRefusal(call)) return call;
      const { request, ...options } = call;
      const openStream = () => question.openStream(call.purpose);
      return calls.chat(request, { ...options, ...patientOptions(context), openStream });
    };
    const outcome = await askWithRetry(ask, { ...retryPolicy, priorUsage }, calls.recoveries);
    const { reply, latency_ms, wastedUsage } = outcome;
    if (!reply) {
      const isUnused = totalOf(wastedUsage) === totalOf(priorUsage);
      return { kind: 'cancelled', usage: wastedUsage, latency_ms: 0, isUnused };
    }
    if (isRefusal(reply)) return { kind: 'refused', refusal: reply, usage: wastedUsage, latency_ms };
    const facts = { reply, usage: addUsage(wastedUsage, usageOf(reply)), latency_ms };
    const [choice] = reply.choices;
    if (!choice || choice.reason === 'cancelled') return { kind: 'cancelled', ...facts, isUnused: false };
    const output = question.read(choice, reply);
    if ('malformed' in output) return { kind: 'malformed', ...facts, text: choice.text, output };
    return { kind: 'answered', ...facts, value: output.value };
  }
}

function totalOf({ prompt, generated }: TokenUsage): number {
  return prompt + generated;
}

const MAX_REMINDER_CHARS = 4000;

export function repairMessages({ text, why }: Mistake, problem: string, form: string): readonly ChatMessage[] {
  return [
    { role: 'assistant', content: text.slice(0, MAX_REMINDER_CHARS) || '(nothing)' },
    { role: 'user', content: `${problem} ${why} ${form}` },
  ];
}
