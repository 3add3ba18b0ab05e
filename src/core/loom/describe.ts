import {
  asMessage,
  asNote,
  type EventDescribers,
  type EventDescription,
  formatFields,
  quote,
  reasonSuffix,
  type UncheckedContent,
  untilSuffix,
} from '../events/description.ts';
import { pluralize } from '../text/pluralize.ts';

export const loomDescribers: EventDescribers = {
  'loom.configured': (content) => asNote(`changed how the loom writes${formatFields(content)}`),
  'loom.committed': describeCommit,
  'loom.switched': (content) => asNote(`switched to ${content.to}`),
  'loom.marked': ({ node, ...marks }) => asNote(`marked ${node}${formatFields(marks)}`),
  'loom.preferred': (content) => asNote(`prefers ${content.child} after ${content.node}`),
  'loom.divided': (content) => asNote(`split ${content.node} after ${pluralize(content.at, 'character')}`),
  'loom.merged': (content) => asNote(`joined ${content.parent} and ${content.node}`),
  'loom.reverted': (content) => asNote(`undid: ${content.what}`),
  'loom.repeated': (content) => asNote(`redid: ${content.what}`),
  'loom.imported': (content) => asNote(`imported ${pluralize(content.nodes?.length ?? 0, 'node')}`),
  'generation.requested': ({ n, at, model }) =>
    asNote(`asked for ${pluralize(n, 'continuation')} of ${at}${model === undefined ? '' : ` by ${model}`}`),
  'generation.finished': (content) =>
    asMessage(
      `${content.model}${content.label === 'small' ? ', a small model' : ''}`,
      (content.choices ?? []).map(({ node, content: text }: UncheckedContent) => `${node}: ${text}`).join('\n'),
    ),
  'generation.waiting': ({ until, why }) => asNote(`waits for its model${untilSuffix(until)}${reasonSuffix(why)}`),
  'generation.failed': (content) => asNote(`no continuation arrived${reasonSuffix(content.message)}`),
  'generation.stopped': () => asNote('stopped a continuation'),
  'exploration.started': ({ at, breadth, depth, nodes }) =>
    asNote(`started to explore after ${at}: ${breadth} wide, ${depth} deep, at most ${pluralize(nodes, 'node')}`),
  'exploration.turned': (content) => asNote(`the exploration is ${content.to}${reasonSuffix(content.reason)}`),
};

function describeCommit(content: UncheckedContent): EventDescription {
  const { edits = [], append } = content;
  const changes = edits.map(({ from, content: text }: UncheckedContent) => `${from} is now ${quote(text)}`);
  if (changes.length === 0) return asMessage('wrote', append?.content ?? '');
  return asMessage('edited', [...changes, ...(append ? [append.content] : [])].join('\n'));
}
