import type { z } from 'zod';
import { authorLabelOf, type Event } from '../events/event.ts';
import { addThoughts, evolvePool } from '../pool/state.ts';
import { clampStartTime } from '../runs/start-time.ts';
import { extendWait } from '../runs/wait.ts';
import type { waitContentSchema } from '../runs/wait-schema.ts';
import { append } from '../util/growing-list.ts';
import type * as events from './events.ts';
import {
  countIteration,
  type Dialogue,
  type DialogueRun,
  type IterationContent,
  initialDialogue,
  iterationCount,
  type LateContent,
  newTurn,
  type Turn,
  type TurnEnd,
} from './state.ts';
import { addSeen } from './turns/seen-ranges.ts';

/** Total: an event this version does not know, or about a turn that is over, changes nothing (L3). */
export function evolveDialogue(state: Dialogue, event: Event): Dialogue {
  switch (event.type) {
    case 'thread.created':
      return applyCreated(state, event);
    case 'control':
      return applyPause(state, event);
    case 'dialogue.configured':
      return applyConfig(state, event, contentOf<typeof events.configured>(event));
    case 'turn.opened':
      return applyTurnOpened(state, event, contentOf<typeof events.turnOpened>(event));
    case 'turn.steered':
      return updateOpenTurn(state, event, (open) => {
        const note = {
          text: contentOf<typeof events.turnSteered>(event).text,
          by: authorLabelOf(event),
          iter: iterationCount(state),
        };
        return { ...open, notes: [...open.notes, note] };
      });
    case 'turn.withdrawn':
      return closeTurn(state, event, () => ({
        kind: 'withdrawn',
        by: authorLabelOf(event),
        ts: event.ts,
        seq: event.seq,
      }));
    case 'turn.accepted':
      return applyTurnAccepted(state, event, contentOf<typeof events.turnAccepted>(event));
    case 'drafts.seen':
      return updateOpenTurn(state, event, (open) => ({
        ...open,
        seen: addSeen(open.seen, contentOf<typeof events.draftsSeen>(event).drafts),
      }));
    case 'engagement.set':
      return { ...state, engagement: contentOf<typeof events.engagementSet>(event).engagement };
    case 'history.pruned':
      return { ...state, pruned: contentOf<typeof events.historyPruned>(event).turn };
    case 'run.started':
      return resetStreaks({
        ...state,
        run: newRun(event, contentOf<typeof events.runStarted>(event)),
        runs: state.runs + 1,
      });
    case 'run.waiting':
      return updateRun(state, event, (run) => ({
        ...run,
        waiting: extendWait(run.waiting, event.ts, contentOf<typeof waitContentSchema>(event)),
      }));
    case 'run.paused': {
      const { reason, why } = contentOf<typeof events.runPaused>(event);
      return updateRun(state, event, ({ waiting: _, ...run }) => ({ ...run, state: 'paused', reason, why }));
    }
    case 'run.resumed':
      return resetStreaks(
        updateRun(state, event, (run) => ({
          ...run,
          state: 'running',
          budget: contentOf<typeof events.runResumed>(event).budget ?? run.budget,
          spent: { since: event.ts, iterations: 0, tokens: 0, money: 0 },
          resumed: run.resumed + 1,
          rootEvent: event.meta.by === 'human' ? event.id : run.rootEvent,
        })),
      );
    case 'run.ended': {
      const { reason } = contentOf<typeof events.runEnded>(event);
      return updateRun(state, event, ({ waiting: _, ...run }) => ({ ...run, state: 'ended', reason }));
    }
    case 'iteration.ended':
      return applyIteration(state, event, event.content as unknown as IterationContent);
    case 'iteration.late':
      return applyLateIteration(state, event.content as unknown as LateContent);
    case 'thought.clustered': {
      const pool = evolvePool(state.pool, event);
      const { thought } = event.content as unknown as { thought: number };
      return { ...state, pool, clustered: Math.max(state.clustered, thought) };
    }
    default:
      return state;
  }
}

/** A fork keeps what it inherited; no run is its own (L13). */
function applyCreated(state: Dialogue, event: Event): Dialogue {
  const isFork = (event.content as { forked_from?: unknown }).forked_from !== undefined;
  if (!isFork) return state;
  const { run: _, ...rest } = state;
  return { ...rest, engagement: initialDialogue().engagement, held: false };
}

function applyPause(state: Dialogue, event: Event): Dialogue {
  const { pause } = event.content as { pause?: { on: boolean } };
  return pause ? { ...state, held: pause.on, holds: state.holds + (pause.on ? 1 : 0) } : state;
}

function applyConfig(state: Dialogue, event: Event, { set }: z.infer<typeof events.configured>): Dialogue {
  const config = { ...state.config, ...set } as Dialogue['config'];
  return {
    ...state,
    config,
    pool: { ...state.pool, activeSize: config.active_pool_size },
    autoAcceptBy: set.auto_accept === undefined ? state.autoAcceptBy : event.from,
  };
}

function applyTurnOpened(state: Dialogue, event: Event, { turn, text }: z.infer<typeof events.turnOpened>): Dialogue {
  const open = newTurn({ turn, text, by: event.from, ts: event.ts, openedSeq: event.seq, iter: iterationCount(state) });
  return { ...state, open: event.imported ? { ...open, imported: true } : open };
}

function applyTurnAccepted(state: Dialogue, event: Event, content: z.infer<typeof events.turnAccepted>): Dialogue {
  const { draft, edited, auto, turn } = content;
  const next = closeTurn(state, event, (open) => ({
    kind: 'accepted',
    by: authorLabelOf(event),
    ts: event.ts,
    seq: event.seq,
    iter: iterationCount(state),
    draft,
    text: edited?.text ?? open.drafts.get(draft)?.text ?? '',
    ...(edited && { difference: edited.difference }),
    ...(auto && { auto }),
  }));
  return next === state ? state : { ...next, accepted: append(state.accepted, turn) };
}

/** The event there are most of: one new state, not one for each thing that changed. */
function applyIteration(state: Dialogue, event: Event, content: IterationContent): Dialogue {
  const { iter, thoughts } = content;
  const { open, run, pool } = state;
  const iteration = { event: event.id, ts: event.ts, content, thoughtsAfter: pool.thoughts.length };
  const newThoughts = thoughts.map((text) => ({ iter, text, author: event.from }));
  return {
    ...state,
    iterations: append(state.iterations, iteration),
    ...(newThoughts.length > 0 && { pool: addThoughts(pool, newThoughts) }),
    ...(open && open.turn === content.turn && { open: turnAfterIteration(open, event, content) }),
    ...(run && run.run === content.run && { run: runAfterIteration(run, content, event.ts) }),
  };
}

function runAfterIteration({ waiting: _, ...run }: DialogueRun, content: IterationContent, ts: string): DialogueRun {
  return { ...run, done: run.done + 1, spent: addUsage(run, content, ts) };
}

/** What ends or pauses a run happened in a row within it, not before it. */
function resetStreaks(state: Dialogue): Dialogue {
  const { open } = state;
  return open ? { ...state, open: { ...open, counts: { ...open.counts, silences: 0, failures: 0 } } } : state;
}

function turnAfterIteration(open: Turn, { ts }: Event, content: IterationContent): Turn {
  const { iter, draft, clear } = content;
  return {
    ...open,
    cleared: clear ? open.drafts.length : open.cleared,
    counts: countIteration(open.counts, content),
    ...(draft && { drafts: open.drafts.with({ ...draft, iter, ts, signal: draft.signal ?? null }) }),
  };
}

/** It changes nothing but what was spent. */
function applyLateIteration(state: Dialogue, content: LateContent): Dialogue {
  const next = { ...state, late: state.late + 1 };
  if (!state.run || state.run.run !== content.run) return next;
  const { iterations, ...spent } = addUsage(state.run, content, state.run.spent.since);
  return { ...next, run: { ...state.run, spent: { ...spent, iterations: iterations - 1 } } };
}

export function addUsage(
  run: DialogueRun,
  { usage }: Pick<IterationContent, 'usage'>,
  now: string,
): DialogueRun['spent'] {
  return {
    since: clampStartTime(run.spent.since, now),
    iterations: run.spent.iterations + 1,
    tokens: run.spent.tokens + usage.prompt + usage.generated,
    money: run.spent.money + (usage.cost ?? 0),
  };
}

function newRun(event: Event, content: z.infer<typeof events.runStarted>): DialogueRun {
  const { run, turn, iterations, silences, until_signal, budget } = content;
  return {
    run,
    state: 'running',
    turn,
    by: event.from,
    ...(iterations !== undefined && { iterations }),
    silences,
    ...(until_signal && { untilSignal: until_signal }),
    budget,
    done: 0,
    spent: { since: event.ts, iterations: 0, tokens: 0, money: 0 },
    resumed: 0,
    rootEvent: event.id,
  };
}

function updateOpenTurn(state: Dialogue, event: Event, update: (open: Turn) => Turn): Dialogue {
  const { turn } = event.content as { turn: number };
  return state.open && state.open.turn === turn ? { ...state, open: update(state.open) } : state;
}

function closeTurn(state: Dialogue, event: Event, end: (open: Turn) => TurnEnd): Dialogue {
  const { turn } = event.content as { turn: number };
  const { open, ...rest } = state;
  if (!open || open.turn !== turn) return state;
  return { ...rest, turns: append(state.turns, { ...open, end: end(open) }) };
}

function updateRun(state: Dialogue, event: Event, update: (run: DialogueRun) => DialogueRun): Dialogue {
  const { run } = event.content as { run: number };
  return state.run && state.run.run === run ? { ...state, run: update(state.run) } : state;
}

function contentOf<Schema extends z.ZodType>(event: Event): z.infer<Schema> {
  return event.content as z.infer<Schema>;
}
