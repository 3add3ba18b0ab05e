import { viewAuthorship } from '../src/core/loom/authorship/node-spans.ts';
import type { EarlierText } from '../src/core/loom/authorship/reuse.ts';
import { shownSpans, singleAuthorSpans, spansAfterEdit } from '../src/core/loom/authorship/spans.ts';
import type { LoomState } from '../src/core/loom/state.ts';
import { viewPath } from '../src/core/loom/view.ts';
import { findUnchangedParts } from '../src/core/text/diff.ts';
import { given, human } from '../test/support/domain/given.ts';
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
  const earlier = attributed(chain);
  const other = prose(10_000, 999);
  return [
    figure('authorship of a 10 KB node after 50 edits, all of them followed', () => {
      const { author, text } = chain.at(-1) as Version;
      shownSpans(attributed(chain.slice(0, -1)), text, author);
    }),
    figure('the same, the fifty-first edit alone', () => oneMore(earlier)),
    figure('a 10 KB node rewritten from end to end', () => {
      findUnchangedParts(chain[0]?.text ?? '', other);
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

function oneMore(earlier: readonly EarlierText[]): void {
  const text = earlier[0]?.text ?? '';
  shownSpans(earlier, `${text.slice(0, 5000)} and so on ${text.slice(5010)}`, 'human ann');
}

/** A document whose spans are known; then one node is edited and the spans of everything asked for again. */
function changedDocument(): () => void {
  const nodes = Array.from({ length: 10_000 }, (_, i) => {
    const parent = i === 0 ? {} : { parent: `n${i - 1}` };
    return { id: `n${i}`, content: prose(100, i), author: 'm', kind: 'model', ...parent };
  });
  const world = given(
    [human, 'create', { title: 'T', kind: 'loom' }],
    [human, 'import_tree', { nodes, active: 'n9999' }],
  );
  const state = () => world.mode<LoomState>();
  viewAuthorship(state(), human.id);
  let edits = 0;
  const edit = () => {
    const node = viewPath(state(), 't1', human.id, { from: 5_000, limit: 1 }).path[0]?.node;
    world.when(human, 'commit', { edits: [{ node, text: `${prose(50, edits++)}${nodes[5_000]?.content}` }] });
  };
  edit();
  return () => {
    const last = viewAuthorship(state(), human.id).spans.at(-1);
    if ((last?.end ?? 0) < 1_000_000) throw new Error('not all spans');
    edit();
  };
}

const long = prose(1_000_000, 4);
const longer = `${long.slice(0, 400_000)} quite ${long.slice(400_000)}`;

function oneWord(): void {
  if (findUnchangedParts(long, longer).length < 2) throw new Error('nothing found');
}

interface Version {
  readonly text: string;
  readonly author: string;
}

/** Each edit replaces a few words somewhere; several people and models take turns. */
function editedChain(edits: number): Version[] {
  const random = seeded(3);
  const versions: Version[] = [{ text: prose(10_000, 1), author: 'model m' }];
  for (let i = 1; i <= edits; i++) {
    const words = (versions.at(-1) as Version).text.split(' ');
    for (let j = 0; j < 3; j++)
      words.splice(random.below(words.length), random.below(3), random.pick(WORDS), `new${i}`);
    versions.push({ text: words.join(' '), author: random.pick(['human ann', 'human bob', 'model m', 'model m2']) });
  }
  return versions;
}

/** The newest first. */
function attributed(versions: readonly Version[]): readonly EarlierText[] {
  let earlier: readonly EarlierText[] = [];
  for (const { text, author } of versions) {
    const spans = earlier.length === 0 ? singleAuthorSpans(author, text) : spansAfterEdit(earlier, text, author);
    earlier = [{ text, spans, isSource: earlier.length === 0 || author.startsWith('model ') }, ...earlier];
  }
  return earlier;
}

function prose(length: number, seed: number): string {
  const random = seeded(seed);
  let text = '';
  while (text.length < length) text += `${random.pick(WORDS)}${random.below(12) === 0 ? '. ' : ' '}`;
  return text.slice(0, length);
}
