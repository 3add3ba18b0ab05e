import { expect, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../test/support/random.ts';
import { DIFF_ALGORITHM, diffWords, findUnchangedParts, type TextMatch } from './diff.ts';
import { characterEnds, wordEnds } from './units.ts';

test('[W15] words and characters are split where people see them end', () => {
  const splitAt = (ends: typeof wordEnds, text: string) => {
    const found = ends(text, 0, text.length);
    return found.map((to, i) => text.slice(found[i - 1] ?? 0, to));
  };
  expect(splitAt(wordEnds, "It's 3 o'clock,  he said")).toEqual([
    "It's",
    ' ',
    '3',
    ' ',
    "o'clock",
    ',',
    '  ',
    'he',
    ' ',
    'said',
  ]);
  expect(splitAt(wordEnds, '漢字 שלום 👩‍👩‍👧!')).toEqual(['漢', '字', ' ', 'שלום', ' ', '👩‍👩‍👧', '!']);
  const characters = ['e\u0301', '👍🏽', '🇩🇪', '🇫🇷', '❤\ufe0f', '\r\n', 'नि', 'x'];
  expect(splitAt(characterEnds, characters.join(''))).toEqual(characters);
});

test('[W15] a readable difference consists of whole words', () => {
  expect(diffWords('The old castle stood.', 'The new castle stood there.')).toEqual([
    { kind: 'equal', text: 'The ' },
    { kind: 'delete', text: 'old' },
    { kind: 'insert', text: 'new' },
    { kind: 'equal', text: ' castle stood' },
    { kind: 'insert', text: ' there' },
    { kind: 'equal', text: '.' },
  ]);
  expect(diffWords('one two', 'three four')).toEqual([
    { kind: 'delete', text: 'one two' },
    { kind: 'insert', text: 'three four' },
  ]);
  expect(diffWords('', '')).toEqual([]);
  expect(diffWords('same', 'same')).toEqual([{ kind: 'equal', text: 'same' }]);
});

test('[W15] unchanged characters within a changed word are found, accidental ones are not', () => {
  expect(unchangedTexts('the colour red', 'the color red')).toEqual(['the colo', 'r red']);
  expect(unchangedTexts('a castle', 'a cattle')).toEqual(['a ca', 'tle']);
  expect(unchangedTexts('wizard', 'banana')).toEqual([]);
  expect(unchangedTexts('😀', '😁')).toEqual([]);
  expect(unchangedTexts('e\u0301', 'e\u0300')).toEqual([]);
});

test('[W15] removing a line does not disturb its neighbours', () => {
  const line = (i: number) => `This is line ${i} of a poem, and it says ${i * 7}.\n`;
  const poem = Array.from({ length: 200 }, (_, i) => line(i));
  const changed = poem.toSpliced(50, 1).toSpliced(120, 0, 'Something quite new.\n');
  expect(unchangedTexts(poem.join(''), changed.join('')).join('')).toBe(poem.toSpliced(50, 1).join(''));
});

test('[W15] a difference beyond its limits is coarser but always finishes', () => {
  const random = seeded(7);
  const noise = () => Array.from({ length: 60_000 }, () => random.pick(['aa', 'bb', 'cc', 'dd'])).join(' ');
  const [a, b] = [`start ${noise()}`, `start ${noise()}`];
  const matches = findUnchangedParts(a, b);
  expect(matches[0]).toMatchObject({ a: 0, b: 0 });
  expect(matches).toEqual(findUnchangedParts(a, b));
});

test('[W15] differences of random texts are correct, ordered and complete, seeds from 1', () => {
  const pieces = [
    'the ',
    'a ',
    'cat',
    'castle',
    ' ',
    '\n',
    '. ',
    '😀',
    '😁',
    '👩‍👩‍👧',
    'e\u0301',
    'e',
    '🇩🇪',
    '漢',
    'שלום ',
    '\r\n',
  ];
  for (let seed = 1; seed <= fuzzRuns(400); seed++) {
    const random = seeded(seed);
    const list = Array.from({ length: random.below(40) }, () => random.pick(pieces));
    const other = list.toSpliced(
      random.below(list.length + 1),
      random.below(5),
      random.pick(pieces),
      random.pick(pieces),
    );
    if (random.below(2) === 0) other.splice(random.below(other.length), random.below(9));
    const [a, b] = [list.join(''), other.join('')];
    const problem = findProblem(a, b, findUnchangedParts(a, b)) ?? wrongHunks(a, b);
    if (problem) throw new Error(`seed ${seed}: ${problem}: ${JSON.stringify([a, b])}`);
  }
});

test('[W15] the diff algorithm has a name, and its results for these texts belong to that name', () => {
  expect(DIFF_ALGORITHM).toBe('heddle-words-1');
  const [a, b] = [
    'It was a dark night. The rain fell, the wind rose; nobody came. 雨が降る。\nThe end 👍🏽 of it\u0301.',
    'It was a very dark night. Rain fell and the winds rose; nobody had come. 雪が降る。\nThe ending 👍 of it.',
  ];
  expect(findUnchangedParts(a, b).map((match) => [match.a, match.b, match.length])).toEqual([
    [0, 0, 9],
    [9, 14, 12],
    [26, 27, 8],
    [35, 39, 9],
    [44, 49, 14],
    [60, 69, 4],
    [65, 74, 12],
    [77, 89, 1],
    [82, 92, 5],
    [89, 98, 1],
  ]);
});

function unchangedTexts(a: string, b: string): string[] {
  return findUnchangedParts(a, b).map((match) => a.slice(match.a, match.a + match.length));
}

function findProblem(a: string, b: string, matches: readonly TextMatch[]): string | undefined {
  let [atA, atB] = [0, 0];
  for (const match of matches) {
    if (match.a < atA || match.b < atB || match.length === 0) return 'out of order';
    [atA, atB] = [match.a + match.length, match.b + match.length];
    if (a.slice(match.a, atA) !== b.slice(match.b, atB)) return 'not equal';
    if (!a.slice(match.a, atA).isWellFormed()) return 'cuts a surrogate pair';
  }
  return atA > a.length || atB > b.length ? 'too long' : undefined;
}

function wrongHunks(a: string, b: string): string | undefined {
  const hunks = diffWords(a, b);
  const side = (gone: string) =>
    hunks
      .filter(({ kind }) => kind !== gone)
      .map(({ text }) => text)
      .join('');
  return side('insert') === a && side('delete') === b ? undefined : 'hunks do not add up';
}
