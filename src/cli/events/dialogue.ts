import { own } from '../../core/util/get-own.ts';
import { RUN_ENDS } from '../mind/run.ts';
import { counted } from '../output/numbers.ts';
import { because, type Described, type Loose, note, pairs, said, type Tellers, waits } from './description.ts';

export const dialogueTellers: Tellers = {
  'dialogue.configured': (content) => note(`changed the settings${pairs(content.set)}`),
  'turn.opened': (content) => said(`turn ${content.turn}`, content.text),
  'turn.steered': (content) => said('steers', content.text),
  'turn.withdrawn': (content) => note(`took the message of turn ${content.turn} back`),
  'turn.accepted': accepted,
  'drafts.seen': (content) => note(`has seen ${(content.drafts ?? []).map((each: Loose) => `#${each}`).join(', ')}`),
  'engagement.set': (content) => note(`is ${content.engagement}`),
  'history.pruned': (content) =>
    note(
      content.turn > 0 ? `hid the turns up to ${content.turn} from the mind` : 'shows the mind the whole history again',
    ),
  'run.started': ({ run, iterations }) =>
    note(`let the mind think: run ${run}${iterations === undefined ? '' : `, ${counted(iterations, 'iteration')}`}`),
  'run.waiting': waits,
  'run.paused': (content) => note(`run ${content.run} is paused${because(content.why)}`),
  'run.resumed': (content) => note(`let run ${content.run} go on`),
  'run.ended': (content) => note(`run ${content.run} is over: ${own(RUN_ENDS, content.reason) ?? content.reason}`),
  'iteration.ended': iterated,
  'iteration.late': (content) => note(`came too late with iteration ${content.iter}, which changes nothing`),
  'thought.clustered': ({ thought, cluster }) =>
    note(
      cluster === null ? `thought ${thought} belongs to no cluster yet` : `thought ${thought} is of cluster ${cluster}`,
    ),
};

function accepted(content: Loose): Described {
  const { turn, draft, edited, auto, reopened } = content;
  const how = [
    edited === undefined ? '' : ', with changes',
    auto === undefined ? '' : `, as ${auto.set_by} had set after ${counted(auto.after, 'iteration')} without news`,
    reopened === undefined ? '' : `, which was answered otherwise in ${reopened.thread}`,
  ].join('');
  return note(`draft #${draft} became the answer of turn ${turn}${how}`);
}

/** A draft is read in full; of the rest, what came of it. */
function iterated(content: Loose): Described {
  const { iter, outcome, draft, thoughts, problem, empty } = content;
  if (outcome === 'draft') return said(`draft #${draft?.index}, iteration ${iter}`, draft?.text);
  const thought = thoughts?.[0] === undefined ? '' : `; thinks: ${thoughts[0]}`;
  if (outcome === 'signal') return note(`says ${draft?.text} (#${draft?.index}, iteration ${iter})${thought}`);
  if (empty) return note(`answered with nothing, counted as silence (iteration ${iter})`);
  if (outcome === 'silence') return note(`leaves it as it is (iteration ${iter})${thought}`);
  return note(`${outcome === 'malformed' ? 'was not understood' : 'failed'} (iteration ${iter})${because(problem)}`);
}
