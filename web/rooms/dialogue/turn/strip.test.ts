import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DraftItem } from '../../../../src/client/index.ts';
import type { IterationMark } from '../drafts/buffer.ts';
import { buildStrip, rangeOf, windowOfStrip } from './strip.ts';

const draft = (index: number, iter: number, more: Partial<DraftItem> = {}): DraftItem => ({
  ...{ index, iter, text: `draft ${index}`, seen: false, signal: null, ts: '2026-01-01T00:00:00.000Z' },
  ...{ chars: 100, after: 1, ...more },
});
const reply = (index: number, iter: number, more: Partial<DraftItem> = {}): IterationMark => ({
  ...{ iter, kind: 'reply', draft: draft(index, iter, more) },
});

const FACTS = { sheets: [], ahead: undefined, isSmall: () => false, isInWindow: () => true };

test('[I13] the strip runs with time: drafts, +1, silence in a row as one, and what is being written last', () => {
  const marks: IterationMark[] = [
    { iter: 5, kind: 'silence' },
    { iter: 4, kind: 'silence' },
    { iter: 3, kind: 'soft', draft: draft(2, 3, { signal: 'soft', text: '+1' }) },
    reply(1, 1, { status: 'final', confidence: 0.85, after: 2 }),
  ];
  const strip = buildStrip({ ...FACTS, marks, ahead: { iter: 6, index: 3, kind: 'writing' } });
  expect(strip.map(({ label }) => label)).toEqual(['1 · final', '+1', 'silence ×2', '3 · writing']);
  expect(strip[0]?.details).toBe('100 characters · after 2 iterations · called final · 85% sure');
});

test('[I13] drafts that say nearly the same share one mark, and a longer draft takes more of the strip', () => {
  const marks = [reply(4, 4, { chars: 400 }), reply(3, 3), reply(2, 2), reply(1, 1)];
  const [newest, ...older] = marks.flatMap(({ draft }) => draft ?? []);
  const sheets = [
    { reply: newest as DraftItem, since: [], alike: [] },
    { reply: older[0] as DraftItem, since: [], alike: older.slice(1) },
  ];
  const strip = buildStrip({ ...FACTS, marks, sheets });
  expect(strip.map(({ label }) => label)).toEqual(['1–3', '4']);
  expect(strip[1]?.length).toBeGreaterThan(strip[0]?.length ?? 4);
});

test('[I13] ranges of drafts are short to read', () => {
  expect([rangeOf([3]), rangeOf([2, 1, 3]), rangeOf([1, 4])]).toEqual(['3', '1–3', '1, 4']);
});

test('[I13] however long the strip is, the selected mark is on it and it fits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 300 }),
      fc.nat(),
      fc.integer({ min: 3, max: 20 }),
      fc.boolean(),
      (count, pick, capacity, hasMore) => {
        const selectedAt = pick % count;
        const { from, to } = windowOfStrip(count, selectedAt, capacity, hasMore);
        const folds = (from > 0 || hasMore ? 1 : 0) + (to < count ? 1 : 0);
        expect(from).toBeLessThanOrEqual(selectedAt);
        expect(to).toBeGreaterThan(selectedAt);
        expect(to - from + folds).toBeLessThanOrEqual(capacity);
      },
    ),
  );
});
