import { isRefusal } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Malformed } from '../../formats/mind/output.ts';
import type { Dropped } from '../../models/fit.ts';
import type { Chat, ChatMessage, Model } from '../../models/model.ts';
import { both, budgetsIn, CALLED_OFF, CUT, failure, type Mistake, unreadable, usageOf } from '../asking.ts';
import type { CallOptions, Fitting } from '../calls.ts';
import type { Work } from '../jobs.ts';
import type { Models } from '../models.ts';
import { openTextStream } from '../text-stream.ts';

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
  /** The ids of the thoughts that an untouched input shows. */
  readonly thoughts: readonly number[];
  fit(model: Model, seed: number, mistake?: Mistake): Fitting<Chat>;
  /** For a model that fills the holes of a frame: it is told less, and the form is ours (M3). */
  frame(seed: number): { readonly request: Chat; readonly thoughts: readonly number[] };
  read(text: string): (Result & { readonly cleaned?: true }) | Malformed;
}

interface Came<Result> {
  readonly model: string;
  readonly small?: true;
  readonly legibility?: 'partial';
  readonly shown: number[];
  readonly dropped?: number[];
  readonly usage: { prompt: number; generated: number; cost?: number; estimated?: true };
  readonly latency_ms: number;
  readonly repaired?: true;
  readonly cleaned?: true;
  readonly blobs?: string[];
  readonly result: Result | { malformed: string } | { error: string; lasting?: true };
}

const LONGEST_REMINDER = 4000;
const NOTHING = { shown: [], usage: { prompt: 0, generated: 0 }, latency_ms: 0 };

/** Asks a model; an answer that cannot be read is asked for once more, with what was wrong. */
export async function ask<Result extends object>(
  { calls, registry }: Models,
  work: Work<State, Command>,
  question: Question<Result>,
): Promise<Came<Result>> {
  const name = question.model ?? registry.defaultFor(question.purpose);
  const model = await registry.open(name);
  if (isRefusal(model)) return { model: name, ...NOTHING, result: failure(model) };
  const { thread } = await work.state();
  const options: CallOptions = {
    ...{ model: name, purpose: question.purpose, thread: work.thread, run: `${work.thread}/${question.run}` },
    budgets: budgetsIn(thread),
    signal: work.signal,
    openStream: () => openTextStream(work.tell, question),
  };
  const first = await once(question.seed);
  if (first.mistake === undefined || work.signal.aborted) return { model: name, ...first.came };
  const second = await once(question.seed + 1, first.mistake);
  return { model: name, ...both(first.came, second.came) };

  async function once(seed: number, mistake?: Mistake): Promise<{ came: Half<Result>; mistake?: Mistake }> {
    const framed = (model as Model).capabilities.frame ? question.frame(seed) : undefined;
    const request = framed?.request ?? question.fit(model as Model, seed, mistake);
    const started = performance.now();
    const called = await calls.chat(request, options);
    const latency_ms = Math.round(performance.now() - started);
    if (isRefusal(called)) {
      const raw = called.refusal.raw as string | undefined;
      return { came: { ...NOTHING, latency_ms, result: failure(called), ...(raw && { blobs: [raw] }) } };
    }
    const partial = framed !== undefined || called.legibility === 'partial';
    const told = {
      ...(called.label && { small: true as const }),
      ...(partial && { legibility: 'partial' as const }),
      ...shownOf(framed?.thoughts ?? question.thoughts, called.dropped),
      ...{ usage: usageOf(called), latency_ms, blobs: [called.raw] },
    };
    const [choice] = called.choices;
    if (!choice || choice.reason === 'cancelled') {
      return { came: { ...told, result: { error: CALLED_OFF } } };
    }
    const cut = choice.reason === 'length' && !framed;
    const read = cut ? CUT : question.read(choice.text);
    if ('malformed' in read) {
      const { result, mistake } = unreadable(choice.text, read);
      return { came: { ...told, result }, mistake };
    }
    const { cleaned, ...result } = read as Result & { cleaned?: true };
    return { came: { ...told, ...(cleaned && { cleaned }), result: result as unknown as Result } };
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

type Half<Result> = Omit<Came<Result>, 'model'>;
