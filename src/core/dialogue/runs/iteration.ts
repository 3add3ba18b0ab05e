import type { Decision } from '../../decider.ts';
import type { ModeContext } from '../../mode.ts';
import type { DialogueInputOf } from '../commands.ts';
import { IterationEnded, IterationLate, RunPaused } from '../events.ts';
import { type Dialogue, type IterationContent, iterationCount, type LateContent, type Turn, turnOf } from '../state.ts';
import { signalOf } from '../turns/drafts.ts';
import { eventsAfterIteration } from './runs.ts';

type IterationReport = DialogueInputOf<'report_iteration'>;

/** One event records the whole iteration; the events of the stop rules follow in the same decision (D3). */
export function decideIteration(state: Dialogue, input: IterationReport, context: ModeContext): Decision {
  const { thread: _, result, blobs, ...facts } = input;
  const { open, run } = state;
  const { id } = context.thread;
  const envelope = blobs && blobs.length > 0 ? { meta: { blobs } } : {};

  const reason = lateReason(state, input);
  if (reason || !open || !run)
    return [IterationLate.of(id, buildLateContent(facts, result, reason ?? 'stopped'), envelope)];
  if (facts.iter !== iterationCount(state) + 1) return [];

  const content = buildContent(open, facts, result);
  const endedEvent = IterationEnded.of(id, content, envelope);
  if ('error' in result && result.budget) {
    const pausedEvent = RunPaused.of(id, { run: run.run, reason: 'budget', why: result.error });
    // Without a model call there was no iteration (D17).
    return facts.usage.prompt === 0 ? [pausedEvent] : [endedEvent, pausedEvent];
  }
  const isPermanent = 'error' in result && result.lasting === true;
  return [endedEvent, ...eventsAfterIteration(state, open, run, content, isPermanent, context)];
}

function buildContent(open: Turn, facts: IterationFacts, result: IterationReport['result']): IterationContent {
  if ('malformed' in result) return { ...facts, outcome: 'malformed', thoughts: [], problem: result.malformed };
  if ('error' in result) {
    const { error: problem, partial } = result;
    return { ...facts, outcome: 'error', thoughts: [], problem, ...(partial !== undefined && { partial }) };
  }
  const { thoughts, draft: text, clear, empty, confidence, status, unstructured } = result;
  const common = { ...facts, thoughts, ...(clear && { clear }) };
  if (text === undefined) return { ...common, outcome: 'silence', ...(empty && { empty }) };
  const signal = signalOf(text, open.counts.reply > 0);
  const same_as = signal === null ? open.drafts.findByText(text) : undefined;
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

type IterationFacts = Omit<IterationReport, 'thread' | 'result' | 'blobs'>;

function buildLateContent(
  facts: IterationFacts,
  result: IterationReport['result'],
  why: LateContent['why'],
): LateContent {
  if ('malformed' in result) return { ...facts, why, thoughts: [], problem: result.malformed };
  if ('error' in result) return { ...facts, why, thoughts: [], problem: result.error };
  const { thoughts, draft } = result;
  return { ...facts, why, thoughts, ...(draft !== undefined && { draft }) };
}

/** A result counts only while its turn is open and its run is active (D5). */
function lateReason(state: Dialogue, { turn, run }: IterationReport): LateContent['why'] | undefined {
  const { open, run: current, held } = state;
  if (open?.turn !== turn) return turnOf(state, turn)?.end?.kind ?? 'stopped';
  if (current?.run !== run || current.state === 'ended') return 'stopped';
  return current.state === 'paused' || held ? 'paused' : undefined;
}
