import type { Decision } from '../../decider.ts';
import type { Json, NewEvent } from '../../events/event.ts';
import type { ModeContext } from '../../mode.ts';
import type { InputOf } from '../commands.ts';
import { type Dialogue, type IterationContent, iterOf, type LateContent, type Turn, turnOf } from '../state.ts';
import { signalOf } from '../turns/drafts.ts';
import { afterIteration } from './runs.ts';

type Iterated = InputOf<'iterated'>;

/** One event tells all of an iteration; what the stop rules make of it follows in the same breath (D3). */
export function decideIteration(state: Dialogue, input: Iterated, context: ModeContext): Decision {
  const { thread: _, result, blobs, ...facts } = input;
  const { open, run } = state;
  const record = (type: string, content: Json): NewEvent => ({
    thread: context.thread.id,
    type,
    content,
    ...(blobs && blobs.length > 0 && { meta: { blobs } }),
  });

  const why = lateBecause(state, input);
  if (why || !open || !run) return [record('iteration.late', lateContent(facts, result, why ?? 'stopped') as Json)];
  if (facts.iter !== iterOf(state) + 1) return [];

  const content = contentOf(open, facts, result);
  if ('error' in result && result.budget) {
    const pause = { thread: context.thread.id, type: 'run.paused' };
    const paused = { ...pause, content: { run: run.run, reason: 'budget', why: result.error } };
    // Where nothing was asked, there was no iteration (D17).
    return facts.usage.prompt === 0 ? [paused] : [record('iteration.ended', content as unknown as Json), paused];
  }
  const lasting = 'error' in result && result.lasting === true;
  return [
    record('iteration.ended', content as unknown as Json),
    ...afterIteration(state, open, run, content, lasting, context),
  ];
}

function contentOf(open: Turn, facts: Facts, result: Iterated['result']): IterationContent {
  if ('malformed' in result) return { ...facts, outcome: 'malformed', thoughts: [], problem: result.malformed };
  if ('error' in result) return { ...facts, outcome: 'error', thoughts: [], problem: result.error };
  const { thoughts, draft: text, clear, empty, confidence, status, unstructured } = result;
  const common = { ...facts, thoughts, ...(clear && { clear }) };
  if (text === undefined) return { ...common, outcome: 'silence', ...(empty && { empty }) };
  const signal = signalOf(text, open.counts.reply > 0);
  const same_as = signal === null ? open.drafts.sameAs(text) : undefined;
  const draft = {
    index: open.drafts.length + 1,
    text,
    ...(signal && { signal }),
    ...(same_as !== undefined && { same_as }),
    ...(confidence !== undefined && { confidence }),
    ...(status !== undefined && { status }),
    ...(unstructured && { unstructured }),
  };
  return { ...common, outcome: signal ? 'signal' : 'draft', draft };
}

type Facts = Omit<Iterated, 'thread' | 'result' | 'blobs'>;

function lateContent(facts: Facts, result: Iterated['result'], why: LateContent['why']): LateContent {
  if ('malformed' in result) return { ...facts, why, thoughts: [], problem: result.malformed };
  if ('error' in result) return { ...facts, why, thoughts: [], problem: result.error };
  const { thoughts, draft } = result;
  return { ...facts, why, thoughts, ...(draft !== undefined && { draft }) };
}

/** A result counts only while its own turn waits and its own run goes on (D5). */
function lateBecause(state: Dialogue, { turn, run }: Iterated): LateContent['why'] | undefined {
  const { open, run: current, held } = state;
  if (open?.turn !== turn) return turnOf(state, turn)?.end?.kind ?? 'stopped';
  if (current?.run !== run || current.state === 'ended') return 'stopped';
  return current.state === 'paused' || held ? 'paused' : undefined;
}
