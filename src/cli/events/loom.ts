import { counted } from '../output/numbers.ts';
import {
  because,
  type Described,
  type Loose,
  note,
  pairs,
  quoted,
  said,
  type Tellers,
  untilWords,
} from './description.ts';

export const loomTellers: Tellers = {
  'loom.configured': (content) => note(`changed how the loom writes${pairs(content)}`),
  'loom.committed': committed,
  'loom.switched': (content) => note(`turned to ${content.to}`),
  'loom.marked': ({ node, ...marks }) => note(`marked ${node}${pairs(marks)}`),
  'loom.preferred': (content) => note(`prefers ${content.child} behind ${content.node}`),
  'loom.divided': (content) => note(`divided ${content.node} behind ${counted(content.at, 'character')}`),
  'loom.merged': (content) => note(`joined ${content.parent} and ${content.node}`),
  'loom.reverted': (content) => note(`took back: ${content.what}`),
  'loom.repeated': (content) => note(`did again: ${content.what}`),
  'loom.imported': (content) => note(`brought ${counted(content.nodes?.length ?? 0, 'node')} in`),
  'generation.requested': ({ n, at, model }) =>
    note(`asked for ${counted(n, 'continuation')} of ${at}${model === undefined ? '' : ` by ${model}`}`),
  'generation.finished': (content) =>
    said(
      `${content.model}${content.label === 'small' ? ', a small model' : ''}`,
      (content.choices ?? []).map(({ node, content: text }: Loose) => `${node}: ${text}`).join('\n'),
    ),
  'generation.waiting': ({ until, why }) => note(`waits for its model${untilWords(until)}${because(why)}`),
  'generation.failed': (content) => note(`no continuation came${because(content.message)}`),
  'generation.stopped': () => note('stopped a continuation'),
  'exploration.started': ({ at, breadth, depth, nodes }) =>
    note(`began to explore behind ${at}: ${breadth} wide, ${depth} deep, at most ${counted(nodes, 'node')}`),
  'exploration.turned': (content) => note(`the exploration is ${content.to}${because(content.reason)}`),
};

function committed(content: Loose): Described {
  const { edits = [], append } = content;
  const changes = edits.map(({ from, content: text }: Loose) => `${from} is now ${quoted(text)}`);
  if (changes.length === 0) return said('wrote', append?.content ?? '');
  return said('edited', [...changes, ...(append ? [append.content] : [])].join('\n'));
}
