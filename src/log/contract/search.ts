import { describe, expect, test } from 'vitest';
import {
  EMPTY_MARK,
  type IndexedText,
  type IndexMark,
  type IndexQuery,
  type SearchIndex,
} from '../search/search-index.ts';
import { SPAN_SIZE } from '../search/spans.ts';
import { createOpener, type TestStore } from './support.ts';

/** The word index: I30, L14. */
export function searchContract(createStore: () => Promise<TestStore>): void {
  const open = createOpener(createStore);

  describe('search', () => {
    test('[I30] texts are found by words, phrases, prefixes and exclusions, newest first', async () => {
      const { log } = await open();
      await putTexts(log.search, 'red fox', 'the red den', 'a den fox', 'fox red', 'foxes den');
      const find = finder(log.search);
      expect(await find({ all: [term('fox')] })).toEqual([4, 3, 1]);
      expect(await find({ all: [term('fox'), term('red')] })).toEqual([4, 1]);
      expect(await find({ all: [term('red fox')] })).toEqual([1]);
      expect(await find({ all: [prefixTerm('fox')] })).toEqual([5, 4, 3, 1]);
      expect(await find({ all: [prefixTerm('den fo')] })).toEqual([3]);
      expect(await find({ all: [term('den')], none: [term('fox')] })).toEqual([5, 2]);
      expect(await find({ all: [term('den')], none: [prefixTerm('fox')] })).toEqual([2]);
      expect(await find({ all: [prefixTerm('fox')], none: [term('fox red'), term('den fox')] })).toEqual([5, 1]);
      expect(await find({ any: [['the', 'foxes']], none: [] })).toEqual([5, 2]);
      expect(
        await find({
          all: [term('den')],
          any: [
            ['the', 'a'],
            ['red', 'green'],
          ],
        }),
      ).toEqual([2]);
      expect(await find({ all: [term('nowhere')] })).toEqual([]);
    });

    test('[I30] a prefix matches every word that starts with it, however many and however rare', async () => {
      const { log } = await open();
      const common = Array.from({ length: 200 }, (_, i) => `sunny${i} sunny${i}`);
      await putTexts(log.search, 'sunset over', ...common, ...common, 'sun', 'sund 世界 sunk', 'сон сонный');
      const find = finder(log.search, 1000);
      const [first, last] = [1, 404];
      expect(await find({ all: [prefixTerm('sun')] })).toHaveLength(403);
      expect(await find({ all: [prefixTerm('sun'), term('over')] })).toEqual([first]);
      expect(await find({ all: [prefixTerm('sunn')] })).toHaveLength(400);
      expect(await find({ all: [prefixTerm('sunny19')] })).toHaveLength(22);
      expect(await find({ all: [prefixTerm('sunn')], none: [prefixTerm('sunny1')] })).toHaveLength(400 - 222);
      expect(await find({ all: [prefixTerm('suns')] })).toEqual([first]);
      expect(await find({ all: [prefixTerm('sunset ov')] })).toEqual([first]);
      expect(await find({ all: [prefixTerm('世界 sun')] })).toEqual([last - 1]);
      expect(await find({ all: [prefixTerm('сон')] })).toEqual([last]);
      expect(await find({ all: [prefixTerm('сонн')] })).toEqual([last]);
      expect(await find({ all: [prefixTerm('sunday')] })).toEqual([]);
    });

    test('[I30] words of every script are kept separate and unchanged', async () => {
      const { log } = await open();
      await putTexts(log.search, '世 界 の', 'שלום עולם', 'σοφια', '🎉 ❤', 'क्षमा करें', 'f¦ann t¦01m¦2d¦x');
      const find = finder(log.search);
      expect(await find({ all: [term('世 界')] })).toEqual([1]);
      expect(await find({ all: [term('界 世')] })).toEqual([]);
      expect(await find({ all: [term('עולם')] })).toEqual([2]);
      expect(await find({ all: [prefixTerm('שלו')] })).toEqual([2]);
      expect(await find({ all: [term('σοφια')] })).toEqual([3]);
      expect(await find({ all: [term('🎉 ❤')] })).toEqual([4]);
      expect(await find({ all: [term('क्षमा')] })).toEqual([5]);
      expect(await find({ any: [['f¦ann']] })).toEqual([6]);
      expect(await find({ any: [['f¦an']] })).toEqual([]);
    });

    test('[I30] a search stops at its limit, says how far it got and continues from there', async () => {
      const { log } = await open();
      await putTexts(log.search, ...Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 'one two' : 'one')));
      const seenNumbers: number[] = [];
      for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined; ) {
        const { hits, reached } = await log.search.find({ all: [term('two')], any: [], none: [] }, below, 4);
        seenNumbers.push(...hits.map(({ n }) => n));
        below = reached;
      }
      expect(seenNumbers).toEqual([28, 25, 22, 19, 16, 13, 10, 7, 4, 1]);
    });

    test('[I30] old texts are found as well as new ones', async () => {
      const { log } = await open();
      const texts = Array.from({ length: 75_000 }, (_, i) => textOf('gravel grass k¦stone', i + 1));
      const rare: readonly (readonly [n: number, words: string])[] = [
        [2, 'red fox'],
        [3, 'fox red grass'],
        [65_534, 'den fox k¦title'],
        [65_535, 'red fox k¦title'],
        [65_536, 'foxes k¦title'],
        [65_537, 'den foxes'],
        [70_000, 'a fox'],
        [74_999, 'fox k¦title'],
      ];
      for (const [n, words] of rare) texts[n - 1] = textOf(words, n);
      await log.search.put(EMPTY_MARK, markAt(texts.length), texts);
      const find = finder(log.search);
      expect(await find({ all: [term('fox')] })).toEqual([74_999, 70_000, 65_535, 65_534, 3, 2]);
      expect(await find({ all: [prefixTerm('fox')] })).toEqual(rare.map(([n]) => n).toReversed());
      expect(await find({ all: [term('red fox')] })).toEqual([65_535, 2]);
      expect(await find({ all: [prefixTerm('den fo')] })).toEqual([65_537, 65_534]);
      expect(await find({ all: [prefixTerm('fox')], none: [term('fox'), term('den')] })).toEqual([65_536]);
      expect(await find({ all: [term('fox')], none: [prefixTerm('re'), term('den fox')] })).toEqual([74_999, 70_000]);
      expect(await find({ all: [prefixTerm('fox')], any: [['k¦title']] })).toEqual([74_999, 65_536, 65_535, 65_534]);
      expect(await find({ all: [prefixTerm('gra'), term('fox')] })).toEqual([3]);
      expect(await find({ all: [prefixTerm('gra')], any: [['red', 'k¦title']] })).toEqual([3]);
      expect(await find({ all: [prefixTerm('gra'), prefixTerm('fo')] })).toEqual([3]);
      expect(await find({ any: [['a', 'red']], after: 3, before: 70_000 })).toEqual([65_535, 3]);
      expect(await finder(log.search, 2)({ all: [prefixTerm('fox')], none: [term('a'), term('k¦title')] })).toEqual([
        65_537, 3,
      ]);
    });

    test('[I30] texts are found by time wherever they are in the log, since imports bring old texts late', async () => {
      const { log } = await open();
      const oldCount = SPAN_SIZE * 3;
      const texts = Array.from({ length: oldCount }, (_, i) => ({ ...textOf('word', i + 1), ts: 1_000_000 + i }));
      for (const [i, ts] of [10, 20, 30].entries()) texts.push({ ...textOf('word', oldCount + i + 1), ts });
      await log.search.put(EMPTY_MARK, markAt(oldCount + 3), texts);
      const find = finder(log.search, 5);
      expect(await find({ all: [term('word')] })).toEqual([
        oldCount + 3,
        oldCount + 2,
        oldCount + 1,
        oldCount,
        oldCount - 1,
      ]);
      expect(await find({ all: [term('word')], before: 30 })).toEqual([oldCount + 2, oldCount + 1]);
      expect(await find({ all: [term('word')], after: 20, before: 1_000_002 })).toEqual([
        oldCount + 3,
        oldCount + 2,
        2,
        1,
      ]);
      expect(await find({ all: [term('word')], after: 1_000_000 + SPAN_SIZE, before: 1_000_003 + SPAN_SIZE })).toEqual(
        [3, 2, 1].map((i) => SPAN_SIZE + i),
      );
      expect(await find({ all: [term('word')], after: 5_000_000 })).toEqual([]);
      expect(await find({ all: [term('word')], before: 10 })).toEqual([]);
    });

    test('[L14] texts and mark are stored together, and only after the mark that was read', async () => {
      const { log, another } = await open();
      const other = await another();
      expect(await log.search.mark()).toEqual(EMPTY_MARK);
      expect(await log.search.put(EMPTY_MARK, markAt(2), [textOf('one', 1), textOf('two', 2)])).toBe(true);
      expect(await other.search.mark()).toEqual(markAt(2));
      expect(await other.search.put(EMPTY_MARK, markAt(1), [textOf('one', 1)])).toBe(false);
      expect(await other.search.put({ ...markAt(2), hash: 'another' }, markAt(3), [textOf('one', 3)])).toBe(false);
      expect(await other.search.put({ ...markAt(2), version: 9 }, markAt(3), [textOf('one', 3)])).toBe(false);
      expect(await finder(other.search)({ all: [term('one')] })).toEqual([1]);
      expect(await other.search.put(markAt(2), markAt(7), [])).toBe(true);
      expect(await log.search.mark()).toEqual(markAt(7));
      const { hits } = await log.search.find({ all: [term('two')], any: [], none: [] }, 100, 10);
      expect(hits).toEqual([{ n: 2, position: 2, part: 0 }]);
    });

    test('[L14] two handles that add the same texts add them once', async () => {
      const { log, another } = await open();
      const other = await another();
      for (let at = 0; at < 20; at++) {
        const from = at === 0 ? EMPTY_MARK : markAt(at);
        const results = await Promise.all(
          [log, other].map(({ search }) => search.put(from, markAt(at + 1), [textOf('word', at + 1)])),
        );
        expect(results.toSorted()).toEqual([false, true]);
      }
      expect(await finder(log.search)({ all: [term('word')] })).toHaveLength(20);
    });

    test('[L14] an index can be emptied and filled again', async () => {
      const { log } = await open();
      await putTexts(log.search, 'one', 'two');
      await log.search.clear();
      expect(await log.search.mark()).toEqual(EMPTY_MARK);
      expect(await finder(log.search)({ all: [term('one')] })).toEqual([]);
      await putTexts(log.search, 'two', 'one');
      expect(await finder(log.search)({ all: [term('one')] })).toEqual([2]);
    });

    test('[I30] a text of a hundred thousand different words is accepted and found by its first ones', async () => {
      const { log } = await open();
      const words = Array.from({ length: 100_000 }, (_, i) => `w${String(i).padStart(12, '0')}`);
      await putTexts(log.search, words.join(' '), 'w000000000007');
      expect(await finder(log.search)({ all: [term('w000000000007')] })).toEqual([2, 1]);
    });
  });
}

function term(words: string) {
  return { words: words.split(' ') };
}

function prefixTerm(words: string) {
  return { words: words.split(' '), prefix: true as const };
}

function markAt(position: number): IndexMark {
  return { position, hash: `hash ${position}`, version: 1 };
}

function textOf(words: string, position: number): IndexedText {
  return { position, part: 0, ts: position, facets: words.split(' '), text: '' };
}

async function putTexts(index: SearchIndex, ...texts: readonly string[]): Promise<void> {
  const result = await index.put(
    EMPTY_MARK,
    markAt(texts.length),
    texts.map((words, i) => textOf(words, i + 1)),
  );
  expect(result).toBe(true);
}

/** A search may run out of time before it reaches the end; this continues from where it stopped. */
function finder(index: SearchIndex, limit = 100) {
  return async (indexQuery: Partial<IndexQuery>): Promise<number[]> => {
    const all: number[] = [];
    for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined && all.length < limit; ) {
      const { hits, reached } = await index.find(
        { all: [], any: [], none: [], ...indexQuery },
        below,
        limit - all.length,
      );
      all.push(...hits.map(({ n }) => n));
      below = reached;
    }
    return all;
  };
}
