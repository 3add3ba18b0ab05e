import { attachmentMeta, type NamedAttachment } from '../attachments/attachment.ts';
import type { Decision } from '../decider.ts';
import type { ModeContext } from '../mode.ts';
import { ThoughtClustered } from '../pool/events.ts';
import { isRefusal, refuse } from '../refusal.ts';
import { checkNotHuman } from '../runs/writer.ts';
import { ThreadCreated, ThreadForked } from '../threads/events.ts';
import type { DialogueCommand, DialogueInputOf } from './commands.ts';
import { parseSettings } from './config.ts';
import {
  DialogueConfigured,
  DraftsSeen,
  EngagementSet,
  HistoryPruned,
  TurnAccepted,
  TurnOpened,
  TurnSteered,
  TurnWithdrawn,
} from './events.ts';
import { decideIteration } from './runs/iteration.ts';
import { decideRunWait, endRun, pauseRun, resumeRun, startRun, startRunForTurn } from './runs/runs.ts';
import { type Dialogue, turnOf } from './state.ts';
import { decideAccept } from './turns/accept.ts';
import { refuseUnknownDraft, requireOpenTurn } from './turns/open-turn.ts';
import { hasSeen } from './turns/seen-ranges.ts';

export function decideDialogue(state: Dialogue, command: DialogueCommand, context: ModeContext): Decision {
  const { id } = context.thread;
  switch (command.name) {
    case 'message':
      return decideMessage(state, command.input, context);
    case 'accept':
      return decideAccept(state, command.input, context);
    case 'steer':
      return withOpenTurn(state, command.input, ({ turn }) => [
        TurnSteered.of(id, { turn, text: command.input.text }, envelopeOf(command.input.attachments)),
      ]);
    case 'withdraw':
      return withOpenTurn(state, command.input, ({ turn }) => [
        TurnWithdrawn.of(id, { turn }),
        ...endRun(state, 'withdrawn', id),
      ]);
    case 'seen':
      return decideSeen(state, command.input, context);
    case 'engagement': {
      const { engagement } = command.input;
      return engagement === state.engagement ? [] : [EngagementSet.of(id, { engagement })];
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
      return decideReopen(state, command.input, context);
    case 'history_prune':
      return decidePrune(state, command.input, context);
    case 'configure': {
      const set = parseSettings(command.input.set);
      if (isRefusal(set)) return set;
      const refusal = checkNotHuman([set.self], context);
      if (refusal) return refusal;
      return Object.keys(set).length === 0 ? [] : [DialogueConfigured.of(id, { set })];
    }
    case 'report_iteration':
      return decideIteration(state, command.input, context);
    case 'report_wait':
      return decideRunWait(state, command.input, context);
    case 'report_clusters':
      return decideClusters(state, command.input, context);
  }
}

function envelopeOf(attachments: readonly NamedAttachment[] | undefined) {
  const meta = attachmentMeta(attachments);
  return meta && { meta };
}

function decideMessage(
  state: Dialogue,
  { text, attachments, run }: DialogueInputOf<'message'>,
  context: ModeContext,
): Decision {
  const { open } = state;
  if (open) {
    return refuse(
      'draft_pending',
      `Turn ${open.turn} is still open. Accept a draft ("accept"), guide the mind ("steer") or withdraw the message ("withdraw") before you send the next one; "fork" starts another topic.`,
      { turn: open.turn },
    );
  }
  const turn = state.turns.length + 1;
  const openedEvent = TurnOpened.of(context.thread.id, { turn, text }, envelopeOf(attachments));
  const runEvents = run ? startRunForTurn(state, turn, run, context) : [];
  return isRefusal(runEvents) ? runEvents : [openedEvent, ...runEvents];
}

function decideSeen(state: Dialogue, input: DialogueInputOf<'seen'>, { thread }: ModeContext): Decision {
  return withOpenTurn(state, input, (open) => {
    const { turn, drafts } = open;
    const indices = input.drafts ?? Array.from(drafts, ({ index }) => index);
    const missing = indices.find((index) => !drafts.get(index));
    if (missing !== undefined) return refuseUnknownDraft(missing, open);
    const unseen = [...new Set(indices)].filter((index) => !hasSeen(open.seen, index)).sort((a, b) => a - b);
    return unseen.length === 0 ? [] : [DraftsSeen.of(thread.id, { turn, drafts: unseen })];
  });
}

/** The past does not change: the other choice is made in a fork that begins just before the first one (D6, L13). */
function decideReopen(
  state: Dialogue,
  { turn: turnNumber, draft, title }: DialogueInputOf<'reopen'>,
  context: ModeContext,
): Decision {
  const { thread, newId } = context;
  const turn = turnOf(state, turnNumber);
  if (!turn) return refuse('unknown_turn', `There is no turn ${turnNumber}; there are ${state.turns.length}.`);
  if (!turn.end) return refuse('draft_pending', `Turn ${turnNumber} is still open: accept draft ${draft} here.`);
  const chosenDraft = turn.drafts.get(draft);
  if (!chosenDraft) return refuseUnknownDraft(draft, turn);
  if (chosenDraft.signal === 'soft') return refuse('not_a_reply', `#${draft} is a "+1", not a reply.`, { draft });
  if (turn.end.kind === 'accepted' && turn.end.draft === draft && turn.end.difference === undefined) {
    return refuse('malformed', `Turn ${turnNumber} is already answered with draft ${draft}. Choose another one.`);
  }
  const forkId = newId();
  const seq = turn.end.seq - 1;
  const forkTitle = title ?? `${[...thread.title].slice(0, 160).join('')} (turn ${turnNumber}, draft ${draft})`;
  return [
    ThreadCreated.of(forkId, { title: forkTitle, kind: 'dialogue', forked_from: { thread: thread.id, seq } }),
    TurnAccepted.of(forkId, { turn: turnNumber, draft, reopened: { thread: thread.id } }),
    ThreadForked.of(thread.id, { thread: forkId, seq, title: forkTitle }),
  ];
}

function decidePrune(state: Dialogue, { turn }: DialogueInputOf<'history_prune'>, { thread }: ModeContext): Decision {
  const endedTurns = state.turns.length;
  if (turn > endedTurns) return refuse('unknown_turn', `There is no turn ${turn} to hide; ${endedTurns} are over.`);
  return turn === state.pruned ? [] : [HistoryPruned.of(thread.id, { turn })];
}

function decideClusters(state: Dialogue, input: DialogueInputOf<'report_clusters'>, { thread }: ModeContext): Decision {
  // The pool has changed since these clusters were computed; the next job computes better ones.
  if (input.after !== state.pool.members.length) return [];
  return input.assignments.map((assignment) => ThoughtClustered.of(thread.id, assignment));
}

function withOpenTurn(
  state: Dialogue,
  { turn }: { readonly turn?: number | undefined },
  decide: (open: NonNullable<Dialogue['open']>) => Decision,
): Decision {
  const open = requireOpenTurn(state, turn);
  return isRefusal(open) ? open : decide(open);
}
