import type { ContentOf, EventOf } from '../events/define.ts';
import {
  asMessage,
  asNote,
  type DescribersOf,
  describeWaiting,
  type EventDescription,
  formatFields,
  reasonSuffix,
} from '../events/description.ts';
import type { ThoughtClustered } from '../pool/events.ts';
import { pluralize } from '../text/pluralize.ts';
import { getOwn } from '../util/get-own.ts';
import type { dialogueEvents, IterationEnded, TurnAccepted } from './events.ts';

/** Why a run ended, as the second part of a sentence, by the reason in the log. */
export const RUN_END_REASONS: Readonly<Record<string, string>> = {
  done: 'all iterations are done',
  silence: 'the mind had nothing more to say',
  signal: 'the mind signalled that you should look',
  accepted: 'a draft was accepted',
  withdrawn: 'the message was withdrawn',
  stopped: 'it was stopped',
  replaced: 'another run was started',
};

/** Describers for dialogue events, and for the thought pool that exchanges share. */
export const dialogueDescribers: DescribersOf<EventOf<(typeof dialogueEvents)[number] | typeof ThoughtClustered>> = {
  'dialogue.configured': (content) => asNote(`changed the settings${formatFields(content.set)}`),
  'turn.opened': (content) => asMessage(`turn ${content.turn}`, content.text),
  'turn.steered': (content) => asMessage('steers', content.text),
  'turn.withdrawn': (content) => asNote(`withdrew the message of turn ${content.turn}`),
  'turn.accepted': describeAccepted,
  'drafts.seen': (content) => asNote(`has seen ${content.drafts.map((each) => `#${each}`).join(', ')}`),
  'engagement.set': (content) => asNote(`is ${content.engagement}`),
  'history.pruned': (content) =>
    asNote(
      content.turn > 0 ? `hid the turns up to ${content.turn} from the mind` : 'shows the mind the whole history again',
    ),
  'run.started': ({ run, iterations }) =>
    asNote(
      `let the mind think: run ${run}${iterations === undefined ? '' : `, ${pluralize(iterations, 'iteration')}`}`,
    ),
  'run.waiting': describeWaiting,
  'run.paused': (content) => asNote(`run ${content.run} is paused${reasonSuffix(content.why)}`),
  'run.resumed': (content) => asNote(`resumed run ${content.run}`),
  'run.ended': (content) =>
    asNote(`run ${content.run} is over: ${getOwn(RUN_END_REASONS, content.reason) ?? content.reason}`),
  'iteration.ended': describeIteration,
  'iteration.late': (content) => asNote(`finished iteration ${content.iter} too late; it was kept but changes nothing`),
  'thought.clustered': ({ thought, cluster }) =>
    asNote(
      cluster === null ? `thought ${thought} belongs to no cluster yet` : `thought ${thought} is in cluster ${cluster}`,
    ),
};

function describeAccepted({ turn, draft, edited, auto, reopened }: ContentOf<typeof TurnAccepted>): EventDescription {
  const details = [
    edited === undefined ? '' : ', with changes',
    auto === undefined
      ? ''
      : `, automatically after ${pluralize(auto.after, 'quiet iteration')}, as set by ${auto.set_by}`,
    reopened === undefined ? '' : `, which has another answer in ${reopened.thread}`,
  ].join('');
  return asNote(`draft #${draft} became the answer of turn ${turn}${details}`);
}

/** Shows a draft in full, and any other iteration by its outcome. */
function describeIteration(content: ContentOf<typeof IterationEnded>): EventDescription {
  const { iter, outcome, draft, thoughts, problem, empty } = content;
  if (outcome === 'draft') return asMessage(`draft #${draft?.index}, iteration ${iter}`, draft?.text);
  const thoughtNote = thoughts[0] === undefined ? '' : `; thinks: ${thoughts[0]}`;
  if (outcome === 'signal') return asNote(`says ${draft?.text} (#${draft?.index}, iteration ${iter})${thoughtNote}`);
  if (empty) return asNote(`gave an empty answer, counted as silence (iteration ${iter})`);
  if (outcome === 'silence') return asNote(`was silent (iteration ${iter})${thoughtNote}`);
  return asNote(
    `${outcome === 'malformed' ? 'was not understood' : 'failed'} (iteration ${iter})${reasonSuffix(problem)}`,
  );
}
