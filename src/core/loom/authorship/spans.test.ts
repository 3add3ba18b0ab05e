import { expect, test } from 'vitest';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import { findUnchangedParts } from '../../text/diff.ts';
import type { EarlierText } from './reuse.ts';
import { concatSpans, type Span, shownSpans, singleAuthorSpans, sliceSpans, spansAfterEdit } from './spans.ts';

test('[W15] in an edited model text unchanged characters stay the model’s', () => {
  expect(
    lastOf(['model m', 'There was a castle on a hill.'], ['ann', 'There was a ruined castle on the hill.']),
  ).toEqual([
    ['model m', 'There was a '],
    ['ann', 'ruined '],
    ['model m', 'castle on '],
    ['ann', 'the'],
    ['model m', ' hill.'],
  ]);
});

test('[W15] a chain of edits attributes each part to its author, models included', () => {
  const versions: Made[] = [
    ['model small', 'The door opened.'],
    ['ann', 'The oak door opened.'],
    ['model large', 'The oak door opened slowly.'],
    ['bob', 'The oak gate opened slowly.'],
  ];
  expect(lastOf(...versions)).toEqual([
    ['model small', 'The '],
    ['ann', 'oak '],
    ['bob', 'gate'],
    ['model small', ' opened'],
    ['model large', ' slowly'],
    ['model small', '.'],
  ]);
  expect(lastOf(...versions.slice(0, 2))[1]).toEqual(['ann', 'oak ']);
});

test('[W15] a text changed back to an ancestor’s gets that ancestor’s spans', () => {
  const versions: Made[] = [
    ['model m', 'One two three.'],
    ['ann', 'Something else.'],
    ['bob', 'One two three.'],
  ];
  expect(lastOf(...versions)).toEqual([['model m', 'One two three.']]);
  expect(lastOf(...versions, ['eve', 'Something else.'])).toEqual(lastOf(...versions.slice(0, 2)));
});

test('[W30] words of a model that I delete and type again are still the model’s', () => {
  const versions: Made[] = [
    ['model m', ' there was a castle'],
    ['ann', ' there was a'],
    ['ann', ' there was a castle indeed'],
  ];
  expect(lastOf(...versions)).toEqual([
    ['model m', ' there was a castle'],
    ['ann', ' indeed'],
  ]);
  expect(lastOf(...versions, ['bob', ' there was a big castle indeed'])).toEqual([
    ['model m', ' there was a '],
    ['bob', 'big '],
    ['model m', 'castle'],
    ['ann', ' indeed'],
  ]);
});

test('[W30] words of every model in the chain are recognised, and people’s words stay theirs', () => {
  const versions: Made[] = [
    ['ann', 'The door'],
    ['model large', 'The door groaned. It fell. '],
    ['bob', 'The door'],
    ['bob', 'The door groaned. Really. It fell. '],
  ];
  expect(lastOf(...versions)).toEqual([
    ['ann', 'The door'],
    ['model large', ' groaned. '],
    ['bob', 'Really. '],
    ['model large', 'It fell. '],
  ]);
});

test('[W30] text unchanged since the model’s first version is the model’s after any edits, seeds from 1', () => {
  const words = ['the ', 'castle ', 'stood ', 'on ', 'a ', 'hill', '. ', '😀 ', 'e\u0301', '\n', 'colour ', 'color '];
  for (let seed = 1; seed <= fuzzRuns(200); seed++) {
    const random = seeded(seed);
    let list = Array.from({ length: 5 + random.below(25) }, () => random.pick(words));
    const original = list.join('');
    const versions: Made[] = [['model m', original]];
    for (let i = 0; i < 6; i++) {
      const more = Array.from({ length: random.below(4) }, () => random.pick(words));
      list = list.toSpliced(random.below(list.length + 1), random.below(5), ...more);
      versions.push([random.pick(['ann', 'bob']), list.join('')]);
      const [text, spans] = [list.join(''), shownOf(versions)];
      const problem = findProblem(text, spans);
      if (problem) throw new Error(`seed ${seed}, edit ${i}: ${problem}`);
      for (const { b, length } of findUnchangedParts(original, text)) {
        const others = sliceSpans(spans, b, b + length).filter(({ author }) => author !== 'model m');
        if (others.length > 0) throw new Error(`seed ${seed}, edit ${i}: ${JSON.stringify(others)}`);
      }
    }
  }
});

test('[W30] attribution in a long history takes only a few comparisons, however many have written', () => {
  const text = 'It was a dark and stormy night. '.repeat(300);
  const versions: Made[] = Array.from({ length: 200 }, (_, i) => [`model m${i % 7}`, `${text}${i} `]);
  const earlier = attributeAll(versions);
  const start = process.cpuUsage();
  shownSpans(earlier, `${text} again`, 'ann');
  const { user } = process.cpuUsage(start);
  expect(user / 1000).toBeLessThan(250);
});

test('[W15] spans are kept through a split and a merge', () => {
  const text = 'by ann by model';
  const spans: Span[] = [
    { from: 0, to: 7, author: 'ann' },
    { from: 7, to: 15, author: 'model m' },
  ];
  const [left, right] = [sliceSpans(spans, 0, 10), sliceSpans(spans, 10, 15)];
  expect(right).toEqual([{ from: 0, to: 5, author: 'model m' }]);
  const parts = [
    { text: text.slice(0, 10), spans: left },
    { text: text.slice(10), spans: right },
  ];
  expect(concatSpans(parts)).toEqual(spans);
});

test('[W15] spans cover the text exactly, are deterministic and never cut a surrogate pair, seeds from 1', () => {
  const pieces = ['the ', 'castle ', 'hill', '. ', '😀', '😁', 'e\u0301', '\n', '漢', 'a', 'colour ', 'color '];
  for (let seed = 1; seed <= fuzzRuns(100); seed++) {
    const random = seeded(seed);
    let list = Array.from({ length: random.below(30) }, () => random.pick(pieces));
    const versions: Made[] = [['model m0', list.join('')]];
    for (let i = 0; i < 8; i++) {
      const at = random.below(list.length + 1);
      list = list.toSpliced(at, random.below(4), ...Array.from({ length: random.below(3) }, () => random.pick(pieces)));
      const back = random.below(6) === 0 ? random.pick(versions)[1] : undefined;
      versions.push([random.pick(['ann', 'bob', 'model m1', 'model m2']), back ?? list.join('')]);
    }
    for (const [i, [, text]] of versions.entries()) {
      const spans = shownOf(versions.slice(0, i + 1));
      const problem = findProblem(text, spans);
      if (problem) throw new Error(`seed ${seed}, version ${i}: ${problem}`);
      const first = versions.findIndex((version) => version[1] === text);
      if (JSON.stringify(spans) !== JSON.stringify(shownOf(versions.slice(0, first + 1)))) {
        throw new Error(`seed ${seed}, version ${i}: equal texts of one chain differ in spans`);
      }
    }
  }
});

function findProblem(text: string, spans: readonly Span[]): string | undefined {
  let at = 0;
  for (const { from, to, author } of spans) {
    if (from !== at || to <= from) return 'a gap or an overlap';
    if (!text.slice(from, to).isWellFormed()) return 'a cut pair';
    if (author === '') return 'nobody';
    at = to;
  }
  return at === text.length ? undefined : 'not all covered';
}

type Made = readonly [author: string, text: string];

/** All versions of a node with who wrote what of them as each editor left it, the newest first. */
function attributeAll(made: readonly Made[]): readonly EarlierText[] {
  let earlier: readonly EarlierText[] = [];
  for (const [author, text] of made) {
    const isFirst = earlier.length === 0;
    const spans = isFirst ? singleAuthorSpans(author, text) : spansAfterEdit(earlier, text, author);
    earlier = [{ text, spans, isSource: isFirst || author.startsWith('model ') }, ...earlier];
  }
  return earlier;
}

/** The spans of the last version, as they are shown. */
function shownOf(made: readonly Made[]): readonly Span[] {
  const [author, text] = made.at(-1) as Made;
  return made.length === 1
    ? singleAuthorSpans(author, text)
    : shownSpans(attributeAll(made.slice(0, -1)), text, author);
}

/** The authors of the last version. */
function lastOf(...made: readonly Made[]): [string, string][] {
  return shownOf(made).map(({ from, to, author }) => [author, made.at(-1)?.[1].slice(from, to) ?? '']);
}
