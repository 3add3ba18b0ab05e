import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../refusal.ts';
import { facetWord } from './facets.ts';
import { checkQuery, MAX_QUERY_LENGTH, parseQuery, termPositions } from './query.ts';
import { rankTexts } from './rank.ts';
import { buildSnippet } from './snippet.ts';
import { foldedWords, wordsIn } from './words.ts';

const RUNS = Number(process.env.HEDDLE_FUZZ_RUNS ?? 100);

describe('words', () => {
  test.each([
    ['case and punctuation', 'The Quiet-Loom, again!', 'the quiet loom again'],
    ['names in code', 'read_file(thread.id) camelCase', 'read file thread id camelcase'],
    ['accents, written either way', 'Café Cafe\u0301 Ångström ÑANDÚ', 'cafe cafe angstrom nandu'],
    ['letters of one sound', 'Straße ΣΟΦΊΑΣ İstanbul ﬁsh', 'strasse σοφιασ istanbul fish'],
    ['wide and narrow letters', 'Ｆｕｌｌ ﾊﾝｶｸ', 'full ハ ン カ ク'],
    ['what has no spaces', '今日は世界', '今 日 は 世 界'],
    ['syllables and their particles', '한국은', '한 국 은'],
    ['letters that would fall apart', 'がぎ', 'が ぎ'],
    ['Thai', 'สวัสดี', 'ส วั ส ดี'],
    ['Hebrew with and without points', 'שָׁלוֹם שלום', 'שלום שלום'],
    ['Arabic with vowels and stretched', 'مُحَمَّد محـــمد', 'محمد محمد'],
    ['vowel signs that are letters', 'क्षमा', 'क्षमा'],
    ['emoji', 'well 🎉🎉 done 👩‍👧', 'well 🎉 🎉 done 👩 👧'],
    ['numbers', '3.14 ½ Ⅳ', '3 14 12 iv'],
    ['nothing at all', ' -- "…" \u200b ', ''],
  ])('[I30] %s', (_, text, words) => {
    expect(foldedWords(text).join(' ')).toBe(words);
    expect(foldedWords(`\u00a0${text}`).join(' ')).toBe(words);
  });

  test('[I30] a word of a million letters is cut but can be found', () => {
    const long = 'x'.repeat(1_000_000);
    expect(foldedWords(`é ${long}`)).toEqual(['e', 'x'.repeat(64)]);
    expect(parseQuery(long).all).toEqual([{ words: ['x'.repeat(64)] }]);
  });

  test('[I30] in any text each word is at its stated place, and no word is empty or has a space', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(text, (given) => {
        const words = wordsIn(given.toWellFormed());
        for (const [i, { word, start, end }] of words.entries()) {
          expect(word).toMatch(/^[^\s"'\\\0-\x2f]+$/);
          expect(start).toBeGreaterThanOrEqual(words[i - 1]?.end ?? 0);
          expect(end).toBeGreaterThan(start);
        }
        expect(words.map(({ word }) => word)).toEqual(foldedWords(given.toWellFormed()));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('queries', () => {
  const queryTerm = (...words: string[]) => ({ words });

  test('[I30] a query can have words, phrases, exclusions and prefixes', () => {
    expect(parseQuery('red "blue fox" -hen gard* -"old den"')).toEqual({
      all: [queryTerm('red'), queryTerm('blue', 'fox'), { words: ['gard'], prefix: true }],
      none: [queryTerm('hen'), queryTerm('old', 'den')],
    });
    expect(parseQuery('"the quiet lo"*').all).toEqual([{ words: ['the', 'quiet', 'lo'] }]);
    expect(parseQuery('"the quiet loo"*').all).toEqual([{ words: ['the', 'quiet', 'loo'], prefix: true }]);
  });

  test('[I30] a word that splits into several is a phrase, and a prefix that is too short is a whole word', () => {
    expect(parseQuery("don't 世界 re-read ab*")).toEqual({
      all: [queryTerm('don', 't'), queryTerm('世', '界'), queryTerm('re', 'read'), queryTerm('ab')],
      none: [],
    });
  });

  test.each([
    ['an open quote', '"red fox', [queryTerm('red', 'fox')]],
    ['only a quote', '"', []],
    [
      'operators of stores',
      'AND (red OR NEAR/2) ^x col:y a<->b !c|d {e}',
      ['and', 'red', 'or', 'near 2', 'x', 'col y', 'a b', 'c d', 'e'],
    ],
    ['SQL', `'; DROP TABLE texts; --`, ['drop', 'table', 'texts']],
    ['signs alone', '- * ( ) \\ " " …', []],
    ['a dash in a word', 'well-known', ['well known']],
  ])('[I30] %s is read as plain words', (_, typed, terms) => {
    const expected = terms.map((term) => (typeof term === 'string' ? queryTerm(...term.split(' ')) : term));
    expect(parseQuery(typed).all).toEqual(expected);
  });

  test('[I30] a query of any length is parsed quickly and has a bounded size', () => {
    expect(parseQuery('a '.repeat(100_000)).all.length).toBeLessThanOrEqual(32);
    expect(parseQuery('"'.repeat(MAX_QUERY_LENGTH)).all).toEqual([]);
  });

  test('[I30] an empty query is refused with a message, but a filter alone is enough', () => {
    const refused = checkQuery(parseQuery('-fox'), false);
    expect(isRefusal(refused) && refused.refusal.message).toMatch(/only excludes words\. Give/);
    expect(checkQuery(parseQuery('…'), false)).toBeDefined();
    expect(checkQuery(parseQuery('-fox'), true)).toBeUndefined();
  });
});

describe('snippets', () => {
  const snippetText = (text: string, typed: string) =>
    buildSnippet(text, parseQuery(typed))
      .parts.map(({ text: part, hit }) => (hit ? `[${part}]` : part))
      .join('');

  test('[I30] hits are highlighted as the text spells them', () => {
    expect(snippetText('Über den Zaun, café', 'uber CAFE')).toBe('[Über] den Zaun, [café]');
    expect(snippetText('今日は世界の終わり', '世界')).toBe('今日は[世界]の終わり');
    expect(snippetText('a red fox, red hen', '"red fox" red')).toBe('a [red fox], [red] hen');
    expect(snippetText('gardens', 'gard*')).toBe('[gardens]');
    expect(snippetText('nothing of it', '')).toBe('nothing of it');
  });

  test('[I30] a snippet of a long text shows the passage with the most words', () => {
    const text = `fox ${'far away '.repeat(100)} the red fox in the den ${'and so on '.repeat(100)}`;
    expect(snippetText(text, 'red fox den')).toMatch(/^….*the \[red\] \[fox\] in the \[den\] .*…$/);
    expect(snippetText(text, 'red fox den').length).toBeLessThan(260);
  });

  test('[I30] a snippet never cuts a character, whatever the text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 100, maxLength: 600 });
    fc.assert(
      fc.property(text, fc.string({ unit: 'grapheme', maxLength: 5 }), (given, typed) => {
        const { parts } = buildSnippet(given.toWellFormed(), parseQuery(typed));
        const whole = parts.map((part) => part.text).join('');
        expect(whole.isWellFormed()).toBe(true);
        expect(given.toWellFormed()).toContain(whole.replace(/^…(?=.)/s, '').replace(/…$/, ''));
      }),
      { numRuns: RUNS },
    );
  });

  test('[I30] a term is found at any position', () => {
    expect(termPositions({ words: ['a', 'b'] }, ['a', 'b', 'a', 'a', 'b'])).toEqual([0, 3]);
    expect(termPositions({ words: ['a', 'b'], prefix: true }, ['a', 'bc', 'a'])).toEqual([0]);
  });
});

describe('ranking', () => {
  const DAY = 86_400_000;
  const item = (name: string, ago: number, more: object = {}) => ({
    ...{ name, kind: 'message' as const, ts: 1_000 * DAY - ago * DAY, shown: { times: 1, length: 20 } },
    ...more,
  });

  test('[I30] titles rank first, then denser and newer hits, and equal ones keep their order', () => {
    const found = [
      item('today', 0),
      item('also today', 0),
      item('a year ago', 365),
      item('a year ago, of it', 365, { shown: { times: 9, length: 20 } }),
      item('title', 300, { kind: 'title', shown: { times: 1, length: 2 } }),
    ];
    expect(rankTexts(found).map(({ name }) => name)).toEqual([
      'title',
      'today',
      'also today',
      'a year ago, of it',
      'a year ago',
    ]);
    expect(rankTexts([])).toEqual([]);
  });
});

test('[I30] a filter is a word that no text contains, and different values are different words', () => {
  const values = ['ann', 'Ann', 'a.nn', 'a-nn', 'an n', 'ann¦', '安'];
  const words = values.map((value) => facetWord('from', value));
  expect(new Set(words).size).toBe(values.length);
  for (const word of words) {
    expect(word).toMatch(/^[a-z0-9\u00a6]+$/);
    expect(foldedWords(word)).not.toContain(word);
  }
  expect(facetWord('kind', 'ann')).not.toBe(facetWord('from', 'ann'));
});

test('[T23] only the first sixteen words of a phrase are searched', () => {
  const { all } = parseQuery(`"${'word '.repeat(50)}"`);
  expect(all[0]?.words).toHaveLength(16);
});

test('[T23] a hit far into a long text is found and shown between ellipses', () => {
  const text = `${'mill '.repeat(100_000)}heron ${'mill '.repeat(100_000)}`;
  const { parts, times } = buildSnippet(text, parseQuery('heron'));
  expect(times).toBe(1);
  expect(parts.filter(({ hit }) => hit)).toEqual([{ text: 'heron', hit: true }]);
  expect([parts[0]?.text, parts.at(-1)?.text]).toEqual(['…', '…']);
});
