import type { Decision } from '../decider.ts';
import type { Json, NewEvent } from '../events/event.ts';
import type { ModeContext } from '../mode.ts';
import { isRefusal, refuse } from '../refusal.ts';
import { notAPerson } from '../runs/writer.ts';
import type { DialogueCommand, InputOf } from './commands.ts';
import { parseSettings } from './config.ts';
import { decideIteration } from './runs/iteration.ts';
import { endRun, pauseRun, resumeRun, startRun, startRunOf, waitOfRun } from './runs/runs.ts';
import { type Dialogue, turnOf } from './state.ts';
import { decideAccept } from './turns/accept.ts';
import { unknownDraft, waiting } from './turns/open-turn.ts';
import { hasSeen } from './turns/seen-ranges.ts';

export function decideDialogue(state: Dialogue, command: DialogueCommand, context: ModeContext): Decision {
  const { id } = context.thread;
  switch (command.name) {
    case 'message':
      return message(state, command.input, context);
    case 'accept':
      return decideAccept(state, command.input, context);
    case 'steer':
      return whileWaiting(state, command.input, ({ turn }) => [
        event(id, 'turn.steered', { turn, text: command.input.text }),
      ]);
    case 'withdraw':
      return whileWaiting(state, command.input, ({ turn }) => [
        event(id, 'turn.withdrawn', { turn }),
        ...endRun(state, 'withdrawn', id),
      ]);
    case 'seen':
      return seen(state, command.input, context);
    case 'engagement': {
      const { engagement } = command.input;
      return engagement === state.engagement ? [] : [event(id, 'engagement.set', { engagement })];
    }
    case 'run':
      return startRun(state, command.input, context);
    case 'step':
      return startRun(state, { iterations: 1 }, context);
    case 'pause_run':
      return pauseRun(state, context);
    case 'resume_run':
      return resumeRun(state, command.input.budget, context);
    case 'stop_run':
      return endRun(state, 'stopped', id);
    case 'reopen':
      return reopen(state, command.input, context);
    case 'history_prune':
      return prune(state, command.input, context);
    case 'configure': {
      const set = parseSettings(command.input.set);
      if (isRefusal(set)) return set;
      const refused = notAPerson([set.self], context);
      if (refused) return refused;
      return Object.keys(set).length === 0 ? [] : [event(id, 'dialogue.configured', { set: set as Json })];
    }
    case 'iterated':
      return decideIteration(state, command.input, context);
    case 'run_waits':
      return waitOfRun(state, command.input, context);
    case 'thoughts_clustered':
      return clustered(state, command.input, context);
  }
}

function message(state: Dialogue, { text, run }: InputOf<'message'>, context: ModeContext): Decision {
  const { open } = state;
  if (open) {
    return refuse(
      'draft_pending',
      `Turn ${open.turn} still waits for you. Accept a draft ("accept"), guide the mind ("steer") or take the message back ("withdraw") before the next one; "fork" begins another topic beside it.`,
      { turn: open.turn },
    );
  }
  const turn = state.turns.length + 1;
  const opened = event(context.thread.id, 'turn.opened', { turn, text });
  const begun = run ? startRunOf(state, turn, run, context) : [];
  return isRefusal(begun) ? begun : [opened, ...begun];
}

function seen(state: Dialogue, input: InputOf<'seen'>, { thread }: ModeContext): Decision {
  return whileWaiting(state, input, (open) => {
    const { turn, drafts } = open;
    const asked = input.drafts ?? Array.from(drafts, ({ index }) => index);
    const missing = asked.find((index) => !drafts.get(index));
    if (missing !== undefined) return unknownDraft(missing, open);
    const fresh = [...new Set(asked)].filter((index) => !hasSeen(open.seen, index)).sort((a, b) => a - b);
    return fresh.length === 0 ? [] : [event(thread.id, 'drafts.seen', { turn, drafts: fresh })];
  });
}

/** The past stays as it was: the other choice is made in a fork that begins just before the first one (D6, L13). */
function reopen(state: Dialogue, { turn: number, draft, title }: InputOf<'reopen'>, context: ModeContext): Decision {
  const { thread, newId } = context;
  const turn = turnOf(state, number);
  if (!turn) return refuse('unknown_turn', `There is no turn ${number}; there are ${state.turns.length}.`);
  if (!turn.end) return refuse('draft_pending', `Turn ${number} is not over yet: accept draft ${draft} right here.`);
  const chosen = turn.drafts.get(draft);
  if (!chosen) return unknownDraft(draft, turn);
  if (chosen.signal === 'soft') return refuse('not_a_reply', `#${draft} is a "+1", not a reply.`, { draft });
  if (turn.end.kind === 'accepted' && turn.end.draft === draft && turn.end.difference === undefined) {
    return refuse('malformed', `Turn ${number} was answered with draft ${draft} already. Choose another one.`);
  }
  const fork = newId();
  const seq = turn.end.seq - 1;
  const name = title ?? `${[...thread.title].slice(0, 160).join('')} (turn ${number}, draft ${draft})`;
  return [
    event(fork, 'thread.created', { title: name, kind: 'dialogue', forked_from: { thread: thread.id, seq } }),
    event(fork, 'turn.accepted', { turn: number, draft, reopened: { thread: thread.id } }),
    event(thread.id, 'thread.forked', { thread: fork, seq, title: name }),
  ];
}

function prune(state: Dialogue, { turn }: InputOf<'history_prune'>, { thread }: ModeContext): Decision {
  const over = state.turns.length;
  if (turn > over) return refuse('unknown_turn', `There is no turn ${turn} to hide; ${over} are over.`);
  return turn === state.pruned ? [] : [event(thread.id, 'history.pruned', { turn })];
}

function clustered(state: Dialogue, input: InputOf<'thoughts_clustered'>, { thread }: ModeContext): Decision {
  // Found on another pool than there is now: whoever asks again finds better.
  if (input.after !== state.pool.members.length) return [];
  return input.assignments.map((assignment) => event(thread.id, 'thought.clustered', assignment));
}

function whileWaiting(
  state: Dialogue,
  { turn }: { readonly turn?: number | undefined },
  decide: (open: NonNullable<Dialogue['open']>) => Decision,
): Decision {
  const open = waiting(state, turn);
  return isRefusal(open) ? open : decide(open);
}

function event(thread: string, type: string, content: Json): NewEvent {
  return { thread, type, content };
}
