import { expect, test } from 'vitest';
import type { DraftItem } from '../../../../src/client/index.ts';
import type { DraftsSeen, IterationEnded } from '../../../../src/core/dialogue/events.ts';
import type { ContentOf, EventOf } from '../../../../src/core/events/define.ts';
import { addIteration, type DraftBuffer, markSeen, marksOf, sheetsOf } from './buffer.ts';

const EMPTY: DraftBuffer = {
  turn: 1,
  drafts: [],
  total: 0,
  startIter: 10,
  failed: new Map(),
  empty: new Set(),
  small: new Set(),
};

const ENVELOPE = {
  ...{ id: 'e', ts: '2026-01-01T00:00:00.000Z', thread: 't', seq: 1 },
  ...{ from: 'mind', to: 'all', meta: {}, v: 1, hash: '' },
};
const NOTHING_SHOWN = { thoughts: [], recent: [], recalled: [], drafts: [], history: [], steer: 0 };
const FACTS = {
  ...{ turn: 1, run: 1, seed: 1, prompt: '', model: 'm', outcome: 'draft' as const, thoughts: [], latency_ms: 0 },
  ...{ shown: NOTHING_SHOWN, usage: { prompt: 0, generated: 0 } },
};

function ended(
  iter: number,
  text: string | null,
  more: Partial<ContentOf<typeof IterationEnded>> = {},
  index = 0,
): EventOf<typeof IterationEnded> {
  const draft = text === null ? {} : { draft: { index, text, ...(text === '+1' && { signal: 'soft' as const }) } };
  return { ...ENVELOPE, type: 'iteration.ended', content: { ...FACTS, iter, ...draft, ...more } };
}

/** What is heard, one iteration after the other; null is silence. */
function heard(...texts: (string | null)[]): DraftBuffer {
  let index = 0;
  return texts.reduce<DraftBuffer>(
    (buffer, text, i) => addIteration(buffer, ended(11 + i, text, {}, text === null ? 0 : ++index)) as DraftBuffer,
    EMPTY,
  );
}

test('[D14] an entry that is heard tells its length and how many iterations it took', () => {
  const { drafts, total } = heard(null, null, 'four', null, '+1');
  expect(total).toBe(2);
  expect(drafts).toMatchObject([
    { index: 2, iter: 15, signal: 'soft', chars: 2, after: 2, seen: false },
    { index: 1, iter: 13, signal: null, chars: 4, after: 3 },
  ]);
});

test('[I13] what does not join what is there is read anew; what is known already changes nothing', () => {
  const buffer = heard('a', 'b');
  expect(addIteration(buffer, ended(15, 'd', {}, 4))).toBeUndefined();
  expect(addIteration(buffer, ended(15, 'd', { turn: 2 }, 1))).toBeUndefined();
  expect(addIteration(buffer, ended(12, 'b', {}, 2))?.drafts).toEqual(buffer.drafts);
});

test('[D15] drafts that were seen elsewhere are marked, those of another turn are not', () => {
  const seen = (turn: number): EventOf<typeof DraftsSeen> => ({
    ...ENVELOPE,
    type: 'drafts.seen',
    content: { turn, drafts: [1] },
  });
  expect(markSeen(heard('a', 'b'), seen(1)).drafts.map((each) => each.seen)).toEqual([false, true]);
  expect(markSeen(heard('a'), seen(2)).drafts[0]?.seen).toBe(false);
});

test('[D9] every iteration has its mark, newest first: replies, +1, silence, failures', () => {
  const failed = addIteration(
    heard(null, 'reply', '+1', null),
    ended(15, null, { problem: 'no YAML', small: true }),
  ) as DraftBuffer;
  expect(failed.small).toEqual(new Set([15]));
  const marks = marksOf(failed, 16);
  expect(marks.map(({ iter, kind }) => `${iter} ${kind}`)).toEqual([
    '16 silence',
    '15 failed',
    '14 silence',
    '13 soft',
    '12 reply',
    '11 silence',
  ]);
  expect(marks[1]?.problem).toBe('no YAML');
});

test('[D28] an iteration that the model answered with nothing has a mark of its own', () => {
  const buffer = addIteration(heard('reply', null), ended(13, null, { empty: true })) as DraftBuffer;
  expect(marksOf(buffer, 13).map(({ kind }) => kind)).toEqual(['empty', 'silence', 'reply']);
});

test('[D9] drafts further back that were not read make no silence', () => {
  const { drafts, ...rest } = heard('a', 'b', null, 'c');
  const marks = marksOf({ ...rest, drafts: drafts.slice(0, 1) }, 14);
  expect(marks.map(({ iter, kind }) => `${iter} ${kind}`)).toEqual(['14 reply', '13 silence']);
});

test('[I13] a reply stands with what was said since; one nearly equal to the newer one folds into it', () => {
  const isAlike = (a: DraftItem, b: DraftItem) => a.text[0] === b.text[0];
  const { sheets, before } = sheetsOf(marksOf(heard(null, 'b1', '+1', 'a1', 'a2', null), 16), isAlike);
  expect(sheets.map(({ reply, alike }) => [reply.text, ...alike.map(({ text }) => text)])).toEqual([
    ['a2', 'a1'],
    ['b1'],
  ]);
  expect(sheets[0]?.since.map(({ kind }) => kind)).toEqual(['silence']);
  expect(before.map(({ iter }) => iter)).toEqual([11]);
});
