import { type AuthoredNode, type AuthorshipBook, authorshipBook } from '../src/core/loom/authorship-book.ts';
import { createWeave, lengthOf, nodesIn } from '../src/core/loom/weave.ts';
import { unchangedParts } from '../src/core/text-diff.ts';
import { seeded } from '../test/support/random.ts';
import { type Figure, median } from './measure.ts';

const WORDS =
  'the a rain fell in torrents except at intervals when it was checked by violent gust of wind which swept up'.split(
    ' ',
  );
const [WARM_UP, ROUNDS] = [5, 9];

/** Milliseconds of processor time, as a frame is what they are held to: 16 of them. */
export async function authorship(): Promise<Figure[]> {
  const chain = editedChain(50);
  const book = bookOf(chain);
  const other = prose(10_000, 999);
  const [first, last] = [chain[0] as AuthoredNode, chain.at(-1) as AuthoredNode];
  return [
    figure('authorship of a 10 KB node after 50 edits, all of them followed', () => {
      bookOf(chain).spansOf(last.id);
    }),
    figure('the same, the fifty-first edit alone', () => oneMore(book, last)),
    figure('a 10 KB node rewritten from end to end', () => {
      unchangedParts(first.text, other);
    }),
    figure('a 1 MB document of 10k nodes with one changed: spans of all of it', changedDocument()),
    figure('a node of 1 MB with one word changed', () => oneWord()),
  ];

  function figure(name: string, work: () => void): Figure {
    for (let i = 0; i < WARM_UP; i++) work();
    const values = Array.from({ length: ROUNDS }, () => {
      const start = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1000;
    });
    return { name: `${name} (ms)`, goal: { atMost: 16 }, values, note: `${median(values).toFixed(2)} ms` };
  }
}

function oneMore(book: AuthorshipBook, { id, text }: AuthoredNode): void {
  book.spansOfEdit(id, `${text.slice(0, 5000)} and so on ${text.slice(5010)}`, 'ann');
}

/** A document whose spans are known; then one node is edited and the spans of everything asked for again. */
function changedDocument(): () => void {
  const nodes = Array.from(
    { length: 10_000 },
    (_, i): AuthoredNode => ({ id: `n${i}`, text: prose(100, i), author: 'm' }),
  );
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const book = authorshipBook((id) => byId.get(id));
  for (const { id } of nodes) book.spansOf(id);
  const edited = Array.from({ length: WARM_UP + ROUNDS }, (_, i) => {
    const version = { id: `v${i}`, text: `${prose(50, i)}${nodes[5000]?.text}`, author: 'ann', editedFrom: 'n5000' };
    byId.set(version.id, version);
    return createWeave(nodes.with(5000, version));
  });
  return () => {
    const weave = edited.pop();
    if (weave === undefined) throw new Error('asked too often');
    const all = nodesIn(weave, 0, lengthOf(weave));
    const shown = all.map(({ from, to, node }) => ({ from, to, spans: () => book.spansOf(node ?? '') }));
    if (book.spansIn(0, lengthOf(weave), shown).at(-1)?.to !== lengthOf(weave)) throw new Error('not all spans');
  };
}

const long = prose(1_000_000, 4);
const longer = `${long.slice(0, 400_000)} quite ${long.slice(400_000)}`;

function oneWord(): void {
  if (unchangedParts(long, longer).length < 2) throw new Error('nothing found');
}

/** Each edit replaces a few words somewhere; several people and models take turns. */
function editedChain(edits: number): AuthoredNode[] {
  const random = seeded(3);
  const nodes: AuthoredNode[] = [{ id: 'e0', text: prose(10_000, 1), author: 'm' }];
  for (let i = 1; i <= edits; i++) {
    const words = (nodes.at(-1) as AuthoredNode).text.split(' ');
    for (let j = 0; j < 3; j++)
      words.splice(random.below(words.length), random.below(3), random.pick(WORDS), `new${i}`);
    nodes.push({
      id: `e${i}`,
      text: words.join(' '),
      author: random.pick(['ann', 'bob', 'm', 'm2']),
      editedFrom: `e${i - 1}`,
    });
  }
  return nodes;
}

function prose(length: number, seed: number): string {
  const random = seeded(seed);
  let text = '';
  while (text.length < length) text += `${random.pick(WORDS)}${random.below(12) === 0 ? '. ' : ' '}`;
  return text.slice(0, length);
}

function bookOf(nodes: readonly AuthoredNode[]) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return authorshipBook((id) => byId.get(id));
}
