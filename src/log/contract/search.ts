import { describe, expect, test } from 'vitest';
import { type IndexedText, type Mark, NO_MARK, type SearchIndex, type Wanted } from '../search/search-index.ts';
import { SPAN } from '../search/spans.ts';
import { opener, type Place } from './support.ts';

/** The index of words: I11, L14. */
export function searchContract(place: () => Promise<Place>): void {
  const open = opener(place);

  describe('search', () => {
    test('[I11] texts are found by words, words in a row, beginnings and what must not be there, the newest first', async () => {
      const { log } = await open();
      await put(log.search, 'red fox', 'the red den', 'a den fox', 'fox red', 'foxes den');
      const found = finder(log.search);
      expect(await found({ all: [term('fox')] })).toEqual([4, 3, 1]);
      expect(await found({ all: [term('fox'), term('red')] })).toEqual([4, 1]);
      expect(await found({ all: [term('red fox')] })).toEqual([1]);
      expect(await found({ all: [begin('fox')] })).toEqual([5, 4, 3, 1]);
      expect(await found({ all: [begin('den fo')] })).toEqual([3]);
      expect(await found({ all: [term('den')], none: [term('fox')] })).toEqual([5, 2]);
      expect(await found({ all: [term('den')], none: [begin('fox')] })).toEqual([2]);
      expect(await found({ all: [begin('fox')], none: [term('fox red'), term('den fox')] })).toEqual([5, 1]);
      expect(await found({ any: [['the', 'foxes']], none: [] })).toEqual([5, 2]);
      expect(
        await found({
          all: [term('den')],
          any: [
            ['the', 'a'],
            ['red', 'green'],
          ],
        }),
      ).toEqual([2]);
      expect(await found({ all: [term('nowhere')] })).toEqual([]);
    });

    test('[I11] a beginning stands for every word that begins so, however many and however seldom', async () => {
      const { log } = await open();
      const common = Array.from({ length: 200 }, (_, i) => `sunny${i} sunny${i}`);
      await put(log.search, 'sunset over', ...common, ...common, 'sun', 'sund 世界 sunk', 'сон сонный');
      const found = finder(log.search, 1000);
      const [first, last] = [1, 404];
      expect(await found({ all: [begin('sun')] })).toHaveLength(403);
      expect(await found({ all: [begin('sun'), term('over')] })).toEqual([first]);
      expect(await found({ all: [begin('sunn')] })).toHaveLength(400);
      expect(await found({ all: [begin('sunny19')] })).toHaveLength(22);
      expect(await found({ all: [begin('sunn')], none: [begin('sunny1')] })).toHaveLength(400 - 222);
      expect(await found({ all: [begin('suns')] })).toEqual([first]);
      expect(await found({ all: [begin('sunset ov')] })).toEqual([first]);
      expect(await found({ all: [begin('世界 sun')] })).toEqual([last - 1]);
      expect(await found({ all: [begin('сон')] })).toEqual([last]);
      expect(await found({ all: [begin('сонн')] })).toEqual([last]);
      expect(await found({ all: [begin('sunday')] })).toEqual([]);
    });

    test('[I11] words of every script are kept apart and as they are', async () => {
      const { log } = await open();
      await put(log.search, '世 界 の', 'שלום עולם', 'σοφια', '🎉 ❤', 'क्षमा करें', 'f¦ann t¦01m¦2d¦x');
      const found = finder(log.search);
      expect(await found({ all: [term('世 界')] })).toEqual([1]);
      expect(await found({ all: [term('界 世')] })).toEqual([]);
      expect(await found({ all: [term('עולם')] })).toEqual([2]);
      expect(await found({ all: [begin('שלו')] })).toEqual([2]);
      expect(await found({ all: [term('σοφια')] })).toEqual([3]);
      expect(await found({ all: [term('🎉 ❤')] })).toEqual([4]);
      expect(await found({ all: [term('क्षमा')] })).toEqual([5]);
      expect(await found({ any: [['f¦ann']] })).toEqual([6]);
      expect(await found({ any: [['f¦an']] })).toEqual([]);
    });

    test('[I11] a look ends at its limit, says how far it came, and goes on from there', async () => {
      const { log } = await open();
      await put(log.search, ...Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? 'one two' : 'one')));
      const seen: number[] = [];
      for (let under: number | undefined = Number.MAX_SAFE_INTEGER; under !== undefined; ) {
        const { found, reached } = await log.search.find({ all: [term('two')], any: [], none: [] }, under, 4);
        seen.push(...found.map(({ n }) => n));
        under = reached;
      }
      expect(seen).toEqual([28, 25, 22, 19, 16, 13, 10, 7, 4, 1]);
    });

    test('[I11] texts are found as well far behind the newest as among them', async () => {
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
      await log.search.put(NO_MARK, markAt(texts.length), texts);
      const found = finder(log.search);
      expect(await found({ all: [term('fox')] })).toEqual([74_999, 70_000, 65_535, 65_534, 3, 2]);
      expect(await found({ all: [begin('fox')] })).toEqual(rare.map(([n]) => n).toReversed());
      expect(await found({ all: [term('red fox')] })).toEqual([65_535, 2]);
      expect(await found({ all: [begin('den fo')] })).toEqual([65_537, 65_534]);
      expect(await found({ all: [begin('fox')], none: [term('fox'), term('den')] })).toEqual([65_536]);
      expect(await found({ all: [term('fox')], none: [begin('re'), term('den fox')] })).toEqual([74_999, 70_000]);
      expect(await found({ all: [begin('fox')], any: [['k¦title']] })).toEqual([74_999, 65_536, 65_535, 65_534]);
      expect(await found({ all: [begin('gra'), term('fox')] })).toEqual([3]);
      expect(await found({ all: [begin('gra')], any: [['red', 'k¦title']] })).toEqual([3]);
      expect(await found({ all: [begin('gra'), begin('fo')] })).toEqual([3]);
      expect(await found({ any: [['a', 'red']], after: 3, before: 70_000 })).toEqual([65_535, 3]);
      expect(await finder(log.search, 2)({ all: [begin('fox')], none: [term('a'), term('k¦title')] })).toEqual([
        65_537, 3,
      ]);
    });

    test('[I11] a time is looked for wherever in the log it is: imports bring old texts late', async () => {
      const { log } = await open();
      const many = SPAN * 3;
      const texts = Array.from({ length: many }, (_, i) => ({ ...textOf('word', i + 1), ts: 1_000_000 + i }));
      for (const [i, ts] of [10, 20, 30].entries()) texts.push({ ...textOf('word', many + i + 1), ts });
      await log.search.put(NO_MARK, markAt(many + 3), texts);
      const found = finder(log.search, 5);
      expect(await found({ all: [term('word')] })).toEqual([many + 3, many + 2, many + 1, many, many - 1]);
      expect(await found({ all: [term('word')], before: 30 })).toEqual([many + 2, many + 1]);
      expect(await found({ all: [term('word')], after: 20, before: 1_000_002 })).toEqual([many + 3, many + 2, 2, 1]);
      expect(await found({ all: [term('word')], after: 1_000_000 + SPAN, before: 1_000_003 + SPAN })).toEqual(
        [3, 2, 1].map((i) => SPAN + i),
      );
      expect(await found({ all: [term('word')], after: 5_000_000 })).toEqual([]);
      expect(await found({ all: [term('word')], before: 10 })).toEqual([]);
    });

    test('[L14] texts and mark are stored together, and only on the mark that was read', async () => {
      const { log, another } = await open();
      const other = await another();
      expect(await log.search.mark()).toEqual(NO_MARK);
      expect(await log.search.put(NO_MARK, markAt(2), [textOf('one', 1), textOf('two', 2)])).toBe(true);
      expect(await other.search.mark()).toEqual(markAt(2));
      expect(await other.search.put(NO_MARK, markAt(1), [textOf('one', 1)])).toBe(false);
      expect(await other.search.put({ ...markAt(2), hash: 'another' }, markAt(3), [textOf('one', 3)])).toBe(false);
      expect(await other.search.put({ ...markAt(2), version: 9 }, markAt(3), [textOf('one', 3)])).toBe(false);
      expect(await finder(other.search)({ all: [term('one')] })).toEqual([1]);
      expect(await other.search.put(markAt(2), markAt(7), [])).toBe(true);
      expect(await log.search.mark()).toEqual(markAt(7));
      const { found } = await log.search.find({ all: [term('two')], any: [], none: [] }, 100, 10);
      expect(found).toEqual([{ n: 2, position: 2, part: 0 }]);
    });

    test('[L14] two handles that add the same add it once', async () => {
      const { log, another } = await open();
      const other = await another();
      for (let at = 0; at < 20; at++) {
        const from = at === 0 ? NO_MARK : markAt(at);
        const done = await Promise.all(
          [log, other].map(({ search }) => search.put(from, markAt(at + 1), [textOf('word', at + 1)])),
        );
        expect(done.toSorted()).toEqual([false, true]);
      }
      expect(await finder(log.search)({ all: [term('word')] })).toHaveLength(20);
    });

    test('[L14] it can be emptied and filled again', async () => {
      const { log } = await open();
      await put(log.search, 'one', 'two');
      await log.search.clear();
      expect(await log.search.mark()).toEqual(NO_MARK);
      expect(await finder(log.search)({ all: [term('one')] })).toEqual([]);
      await put(log.search, 'two', 'one');
      expect(await finder(log.search)({ all: [term('one')] })).toEqual([2]);
    });

    test('[I11] a text of a hundred thousand different words is taken, and found by its first ones', async () => {
      const { log } = await open();
      const words = Array.from({ length: 100_000 }, (_, i) => `w${String(i).padStart(12, '0')}`);
      await put(log.search, words.join(' '), 'w000000000007');
      expect(await finder(log.search)({ all: [term('w000000000007')] })).toEqual([2, 1]);
    });
  });
}

function term(words: string) {
  return { words: words.split(' ') };
}

function begin(words: string) {
  return { words: words.split(' '), prefix: true as const };
}

function markAt(position: number): Mark {
  return { position, hash: `hash ${position}`, version: 1 };
}

function textOf(words: string, position: number): IndexedText {
  return { position, part: 0, ts: position, facets: words.split(' '), text: '' };
}

async function put(index: SearchIndex, ...texts: readonly string[]): Promise<void> {
  const done = await index.put(
    NO_MARK,
    markAt(texts.length),
    texts.map((words, i) => textOf(words, i + 1)),
  );
  expect(done).toBe(true);
}

/** A look may end before it came to the end, when its time is over: then it goes on from there. */
function finder(index: SearchIndex, limit = 100) {
  return async (wanted: Partial<Wanted>): Promise<number[]> => {
    const all: number[] = [];
    for (let under: number | undefined = Number.MAX_SAFE_INTEGER; under !== undefined && all.length < limit; ) {
      const { found, reached } = await index.find({ all: [], any: [], none: [], ...wanted }, under, limit - all.length);
      all.push(...found.map(({ n }) => n));
      under = reached;
    }
    return all;
  };
}
