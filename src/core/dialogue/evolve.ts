import type { EventOf } from '../events/define.ts';
import { authorLabelOf, type Event } from '../events/event.ts';
import { ignoreUnknown, readEvent } from '../events/read.ts';
import { addThoughts, assign } from '../pool/state.ts';
import { chargeRun, countCall, endRun, newRun, pauseRun, resumeRun, updateRun, waitInRun } from '../runs/run.ts';
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
  initialDialogue,
  iterationCount,
  type LateContent,
  newTurn,
  type Turn,
  type TurnEnd,
} from './state.ts';
import { addSeen } from './turns/seen-ranges.ts';

/** Total: an event that is unknown to this version, or about a closed turn, changes nothing (L3). */
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
      const { attachments } = event.meta;
      const note = {
        ...{ text: event.content.text, by: authorLabelOf(event), iter: iterationCount(state) },
        ...(attachments && { attachments }),
      };
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
      return resetStreaks({ ...state, run: startedRun(event), runs: state.runs + 1 });
    case 'run.waiting':
      return updateRun(state, event.content, (run) => waitInRun(run, ts, event.content));
    case 'run.paused':
      return updateRun(state, event.content, (run) => pauseRun(run, event.content));
    case 'run.resumed':
      return resetStreaks(updateRun(state, event.content, (run) => resumeRun(run, event, event.content.budget)));
    case 'run.ended':
      return updateRun(state, event.content, (run) => endRun(run, event.content));
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

/** A fork keeps the inherited state, except for the run (L13). */
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
  const { attachments } = event.meta;
  return {
    ...state,
    open: { ...open, ...(attachments && { attachments }), ...(event.imported && { imported: true }) },
  };
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

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** By far the most frequent event, so this builds one new state instead of one per changed field. */
function applyIteration(state: Dialogue, event: EventOf<typeof IterationEnded>): Dialogue {
  const { content } = event;
  const { iter, thoughts } = content;
  const { open, run, pool } = state;
  const iteration = { event: event.id, ts: event.ts, content, thoughtsAfter: pool.thoughts.length };
  const newThoughts = thoughts.map((text) => ({ iter, text, author: event.from }));
  const next: Writable<Dialogue> = { ...state, iterations: append(state.iterations, iteration) };
  if (newThoughts.length > 0) next.pool = addThoughts(pool, newThoughts);
  if (open && open.turn === content.turn) next.open = turnAfterIteration(open, event);
  if (run && run.run === content.run) next.run = countCall(run, event.ts, content.usage);
  return next;
}

/** Streaks that end or pause a run count within that run only. */
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
    drafts: draft ? open.drafts.with({ ...draft, iter, ts, signal: draft.signal ?? null }) : open.drafts,
  };
}

/** Only the usage changes. */
function applyLateIteration(state: Dialogue, content: LateContent): Dialogue {
  return updateRun({ ...state, late: state.late + 1 }, content, (run) => ({
    ...chargeRun(run, content.usage),
    ...(run.waiting && { waiting: run.waiting }),
  }));
}

function startedRun(event: EventOf<typeof RunStarted>): DialogueRun {
  const { turn, iterations, silences, until_signal } = event.content;
  return {
    ...newRun(event, event.content, iterations),
    ...{ turn, silences },
    ...(until_signal && { untilSignal: until_signal }),
  };
}

interface OfTurn {
  readonly turn: number;
}

function updateOpenTurn(state: Dialogue, { turn }: OfTurn, update: (open: Turn) => Turn): Dialogue {
  return state.open && state.open.turn === turn ? { ...state, open: update(state.open) } : state;
}

function closeTurn(state: Dialogue, { turn }: OfTurn, end: (open: Turn) => TurnEnd): Dialogue {
  const { open, ...rest } = state;
  if (!open || open.turn !== turn) return state;
  return { ...rest, turns: append(state.turns, { ...open, end: end(open) }) };
}
