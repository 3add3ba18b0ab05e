import type { EventOf } from '../events/define.ts';
import { authorLabelOf, type Event } from '../events/event.ts';
import { ignoreUnknown, readEvent } from '../events/read.ts';
import { addThoughts, assign } from '../pool/state.ts';
import { clampStartTime } from '../runs/start-time.ts';
import { extendWait } from '../runs/wait.ts';
import { append } from '../util/growing-list.ts';
import type {
  DialogueConfigured,
  DialogueEvent,
  IterationEnded,
  RunStarted,
  TurnAccepted,
  TurnOpened,
} from './events.ts';
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
export function evolveDialogue(state: Dialogue, stored: Event): Dialogue {
  const event = readEvent<DialogueEvent>(stored);
  const { ts } = event;
  switch (event.type) {
    case 'thread.created':
      return event.content.forked_from ? forkDialogue(state) : state;
    case 'control':
      return 'pause' in event.content ? setHeld(state, event.content.pause.on) : state;
    case 'dialogue.configured':
      return applyConfig(state, event);
    case 'turn.opened':
      return applyTurnOpened(state, event);
    case 'turn.steered': {
      const note = { text: event.content.text, by: authorLabelOf(event), iter: iterationCount(state) };
      return updateOpenTurn(state, event.content, (open) => ({ ...open, notes: [...open.notes, note] }));
    }
    case 'turn.withdrawn': {
      const end = { kind: 'withdrawn', by: authorLabelOf(event), ts, seq: event.seq } as const;
      return closeTurn(state, event.content, () => end);
    }
    case 'turn.accepted':
      return applyTurnAccepted(state, event);
    case 'drafts.seen': {
      const { drafts } = event.content;
      return updateOpenTurn(state, event.content, (open) => ({ ...open, seen: addSeen(open.seen, drafts) }));
    }
    case 'engagement.set':
      return { ...state, engagement: event.content.engagement };
    case 'history.pruned':
      return { ...state, pruned: event.content.turn };
    case 'run.started':
      return resetStreaks({ ...state, run: newRun(event), runs: state.runs + 1 });
    case 'run.waiting':
      return updateRun(state, event.content, (run) => ({
        ...run,
        waiting: extendWait(run.waiting, ts, event.content),
      }));
    case 'run.paused': {
      const { reason, why } = event.content;
      return updateRun(state, event.content, ({ waiting: _, ...run }) => ({ ...run, state: 'paused', reason, why }));
    }
    case 'run.resumed':
      return resetStreaks(
        updateRun(state, event.content, (run) => ({
          ...run,
          state: 'running',
          budget: event.content.budget ?? run.budget,
          spent: { since: ts, iterations: 0, tokens: 0, money: 0 },
          resumed: run.resumed + 1,
          rootEvent: event.meta.by === 'human' ? event.id : run.rootEvent,
        })),
      );
    case 'run.ended': {
      const { reason } = event.content;
      return updateRun(state, event.content, ({ waiting: _, ...run }) => ({ ...run, state: 'ended', reason }));
    }
    case 'iteration.ended':
      return applyIteration(state, event);
    case 'iteration.late':
      return applyLateIteration(state, event.content);
    case 'thought.clustered': {
      const clustered = Math.max(state.clustered, event.content.thought);
      return { ...state, pool: assign(state.pool, event.content), clustered };
    }
    default:
      return ignoreUnknown(state, event);
  }
}

/** A fork keeps what it inherited; no run is its own (L13). */
function forkDialogue({ run: _, ...state }: Dialogue): Dialogue {
  return { ...state, engagement: initialDialogue().engagement, held: false };
}

function setHeld(state: Dialogue, held: boolean): Dialogue {
  return { ...state, held, holds: state.holds + (held ? 1 : 0) };
}

function applyConfig(state: Dialogue, { from, content: { set } }: EventOf<typeof DialogueConfigured>): Dialogue {
  const config = { ...state.config, ...set } as Dialogue['config'];
  return {
    ...state,
    config,
    pool: { ...state.pool, activeSize: config.active_pool_size },
    autoAcceptBy: set.auto_accept === undefined ? state.autoAcceptBy : from,
  };
}

function applyTurnOpened(state: Dialogue, event: EventOf<typeof TurnOpened>): Dialogue {
  const { turn, text } = event.content;
  const open = newTurn({ turn, text, by: event.from, ts: event.ts, openedSeq: event.seq, iter: iterationCount(state) });
  return { ...state, open: event.imported ? { ...open, imported: true } : open };
}

function applyTurnAccepted(state: Dialogue, event: EventOf<typeof TurnAccepted>): Dialogue {
  const { draft, edited, auto, turn } = event.content;
  const next = closeTurn(state, event.content, (open) => ({
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
function applyIteration(state: Dialogue, event: EventOf<typeof IterationEnded>): Dialogue {
  const { content } = event;
  const { iter, thoughts } = content;
  const { open, run, pool } = state;
  const iteration = { event: event.id, ts: event.ts, content, thoughtsAfter: pool.thoughts.length };
  const newThoughts = thoughts.map((text) => ({ iter, text, author: event.from }));
  return {
    ...state,
    iterations: append(state.iterations, iteration),
    ...(newThoughts.length > 0 && { pool: addThoughts(pool, newThoughts) }),
    ...(open && open.turn === content.turn && { open: turnAfterIteration(open, event) }),
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

function turnAfterIteration(open: Turn, { ts, content }: EventOf<typeof IterationEnded>): Turn {
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

function newRun(event: EventOf<typeof RunStarted>): DialogueRun {
  const { run, turn, iterations, silences, until_signal, budget } = event.content;
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

interface OfTurn {
  readonly turn: number;
}

interface OfRun {
  readonly run: number;
}

function updateOpenTurn(state: Dialogue, { turn }: OfTurn, update: (open: Turn) => Turn): Dialogue {
  return state.open && state.open.turn === turn ? { ...state, open: update(state.open) } : state;
}

function closeTurn(state: Dialogue, { turn }: OfTurn, end: (open: Turn) => TurnEnd): Dialogue {
  const { open, ...rest } = state;
  if (!open || open.turn !== turn) return state;
  return { ...rest, turns: append(state.turns, { ...open, end: end(open) }) };
}

function updateRun(state: Dialogue, { run }: OfRun, update: (run: DialogueRun) => DialogueRun): Dialogue {
  return state.run && state.run.run === run ? { ...state, run: update(state.run) } : state;
}
