import { isRefusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Malformed } from '../../formats/mind/output.ts';
import type { Chat, ChatMessage, Model } from '../../models/model.ts';
import type { Dropped } from '../../models/prompt/fit.ts';
import {
  addUsage,
  both,
  budgetsIn,
  CALLED_OFF,
  CUT,
  type Failed,
  failure,
  type Mistake,
  type TokensUsed,
  unreadable,
  usageOf,
  WITHHELD,
} from '../ask/outcome.ts';
import { askPatiently, type Patience } from '../ask/retry.ts';
import type { CallOptions, Fitting } from '../calls/calls.ts';
import type { Models } from '../calls/models.ts';
import type { Work } from '../jobs.ts';
import { openTextStream } from '../streaming/text-stream.ts';

/** How one kind of participant is asked, and how its answer is read. */
export interface Question<Result> {
  readonly purpose: 'mind' | 'auditor';
  /** A key of the registry; without it, the registry's own choice. */
  readonly model: string | null;
  readonly seed: number;
  readonly run: string;
  /** Who is asked, and in which job: what it writes is shown as it comes (M12). */
  readonly from: string;
  readonly job: string;
  /** What the run may use. */
  readonly budget: NonNullable<CallOptions['budgets']>['run'];
  /** The ids of the thoughts that an untouched input shows. */
  readonly thoughts: readonly number[];
  fit(model: Model, seed: number, mistake?: Mistake): Fitting<Chat>;
  /** For a model that fills the holes of a frame: it is told less, and the form is ours (M3). */
  frame(seed: number): { readonly request: Chat; readonly thoughts: readonly number[] };
  read(text: string): (Result & { readonly cleaned?: true }) | Malformed;
}

interface Outcome<Result> {
  readonly model: string;
  readonly small?: true;
  readonly legibility?: 'partial';
  readonly shown: number[];
  readonly dropped?: number[];
  readonly usage: TokensUsed;
  readonly latency_ms: number;
  readonly repaired?: true;
  readonly cleaned?: true;
  readonly blobs?: string[];
  readonly result: Result | { malformed: string } | Failed;
}

const LONGEST_REMINDER = 4000;
const NOTHING = { shown: [], usage: { prompt: 0, generated: 0 }, latency_ms: 0 };

/**
 * Asks a model; an answer that cannot be read is asked for once more, with what was wrong. Undefined where it was called
 * off before anything was used.
 */
export async function ask<Result extends object>(
  { calls, registry, secrets }: Models,
  work: Work<State, Command>,
  question: Question<Result>,
  patience: Patience,
): Promise<Outcome<Result> | undefined> {
  const name = question.model ?? registry.defaultFor(question.purpose);
  const model = await registry.open(name);
  if (isRefusal(model)) return { model: name, ...NOTHING, result: { ...failure(model), lasting: true } };
  const options: CallOptions = {
    ...{ model: name, purpose: question.purpose, thread: work.thread, run: `${work.thread}/${question.run}` },
    signal: work.signal,
    stopping: work.stopping,
    isPatient: true,
    openStream: () => openTextStream(work.tell, question, secrets),
  };
  const first = await once(question.seed);
  if (!first) return undefined;
  if (first.mistake === undefined || work.signal.aborted) return { model: name, ...first.outcome };
  const second = await once(question.seed + 1, first.mistake);
  return { model: name, ...(second ? both(first.outcome, second.outcome) : first.outcome) };

  async function once(
    seed: number,
    mistake?: Mistake,
  ): Promise<{ outcome: HalfOutcome<Result>; mistake?: Mistake } | undefined> {
    const framed = (model as Model).capabilities.frame ? question.frame(seed) : undefined;
    const request = framed?.request ?? question.fit(model as Model, seed, mistake);
    const chat = async () => {
      // The thread's may be changed while the model is waited for (M7); the run's only while nobody is asked.
      const { thread } = await work.state();
      return calls.chat(request, { ...options, budgets: { ...budgetsIn(thread), run: question.budget } });
    };
    const { called, latency_ms, wasted } = await askPatiently(chat, patience, calls.recoveries);
    if (!called) {
      // Nothing was paid for: it is as if it had never been asked.
      if (wasted.prompt + wasted.generated === 0) return undefined;
      return { outcome: { ...NOTHING, usage: wasted, result: { error: CALLED_OFF } } };
    }
    if (isRefusal(called)) {
      const raw = called.refusal.raw as string | undefined;
      const blobs = raw === undefined ? {} : { blobs: [raw] };
      return { outcome: { ...NOTHING, usage: wasted, latency_ms, result: failure(called), ...blobs } };
    }
    const partial = framed !== undefined || called.legibility === 'partial';
    const facts = {
      ...(called.label && { small: true as const }),
      ...(partial && { legibility: 'partial' as const }),
      ...shownOf(framed?.thoughts ?? question.thoughts, called.dropped),
      ...{ usage: addUsage(wasted, usageOf(called)), latency_ms, blobs: [called.raw] },
    };
    const [choice] = called.choices;
    if (!choice || choice.reason === 'cancelled') {
      return { outcome: { ...facts, result: { error: CALLED_OFF } } };
    }
    const cut = choice.reason === 'length' && !framed;
    const read = cut ? CUT : choice.withheld ? WITHHELD : question.read(choice.text);
    if ('malformed' in read) {
      const { result, mistake } = unreadable(choice.text, read);
      return { outcome: { ...facts, result }, mistake };
    }
    const { cleaned, ...result } = read as Result & { cleaned?: true };
    return { outcome: { ...facts, ...(cleaned && { cleaned }), result: result as unknown as Result } };
  }
}

/** The conversation that follows a mistake. */
export function corrected({ text, why }: Mistake, form: string): readonly ChatMessage[] {
  return [
    { role: 'assistant', content: text.slice(0, LONGEST_REMINDER) || '(nothing)' },
    { role: 'user', content: `That could not be used. ${why} ${form}` },
  ];
}

function shownOf(thoughts: readonly number[], dropped: Dropped | undefined) {
  const gone = (dropped?.pool ?? []).map(Number);
  return {
    shown: thoughts.filter((id) => !gone.includes(id)),
    ...(gone.length > 0 && { dropped: gone }),
  };
}

type HalfOutcome<Result> = Omit<Outcome<Result>, 'model'>;
