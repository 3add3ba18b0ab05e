import { expect, test } from 'vitest';
import type { WireEvent } from '../../../src/client/index.ts';
import { cursorOf } from '../../../src/protocol/cursor.ts';
import { answerEvents } from './answer-events.ts';

const kept = (...seqs: number[]) => seqs.map((seq) => ({ seq }) as WireEvent);
const at = (seq: number) => cursorOf('thread', seq);

function seqs(events: readonly WireEvent[], query: Record<string, string>): readonly number[] | undefined {
  return answerEvents(events, new URLSearchParams(query))?.events.map(({ seq }) => seq);
}

test('[I22] kept events are answered as the server answers: all, after a cursor, up to a cursor', () => {
  const events = kept(1, 2, 3, 4, 5);
  expect(seqs(events, { limit: '1000' })).toEqual([1, 2, 3, 4, 5]);
  expect(seqs(events, { after: at(3), limit: '1' })).toEqual([4]);
  expect(seqs(events, { before: 'head', limit: '2' })).toEqual([4, 5]);
  expect(seqs(events, { before: at(2), limit: '20' })).toEqual([1, 2]);
  expect(answerEvents(events, new URLSearchParams({ after: at(1), limit: '2' }))).toMatchObject({
    cursor: at(3),
    head: at(5),
  });
});

test('[I22] after the newest kept event there is none', () => {
  expect(seqs(kept(1, 2), { after: at(2), limit: '10' })).toEqual([]);
  expect(seqs(kept(1, 2), { after: at(9), limit: '10' })).toEqual([]);
});

test('[I22] a reader scrolls up as far as events are kept without a gap', () => {
  expect(seqs(kept(1, 2, 8, 9), { before: 'head', limit: '20' })).toEqual([8, 9]);
});

test('[I22] a page with a gap is not answered', () => {
  expect(seqs(kept(1, 2, 8, 9), { limit: '10' })).toBeUndefined();
  expect(seqs(kept(8, 9), { after: at(6), limit: '10' })).toBeUndefined();
  expect(seqs(kept(1, 2, 8, 9), { before: at(5), limit: '20' })).toBeUndefined();
  expect(seqs(kept(1, 2), { after: 'nonsense' })).toBeUndefined();
});
