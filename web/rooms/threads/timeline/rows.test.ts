import { expect, test } from 'vitest';
import type { WireEvent } from '../../../../src/client/index.ts';
import { buildEntries } from './entries.ts';
import { foldEntries, reuseRows } from './rows.ts';

let seq = 0;
function event(type: string, content: unknown, more: Partial<WireEvent> = {}): WireEvent {
  seq++;
  const ts = new Date(Date.UTC(2026, 2, 1, 12, seq)).toISOString();
  const envelope = { id: `e${seq}`, ts, thread: 't', seq, from: 'ana', to: 'all', meta: {}, v: 1, hash: '' };
  return { ...envelope, type, content, ...more } as WireEvent;
}
const rowsOf = (events: readonly WireEvent[], more: object = {}) =>
  foldEntries(
    buildEntries(events, { state: undefined, me: 'ana', unread: undefined, quotedEvents: new Map(), ...more }),
  );
const sizes = (...of: Parameters<typeof rowsOf>) => rowsOf(...of).map(({ entries }) => entries.length);
const invite = () => event('control', { invite: { participant_id: 'muse', profile: {} } });
const closed = (outcome: string, more: object = {}) =>
  event('wake.closed', { participant: 'muse', event: 'e0', up_to: 1, outcome, ...more });

test('[I12] neighbouring changes are one row; messages and failures stand for themselves', () => {
  const events = [event('thread.created', {}), invite(), closed('declined'), event('message', 'Hello'), invite()];
  expect(sizes(events)).toEqual([3, 1, 1]);
  expect(sizes([invite(), closed('failed', { reason: 'No key.' }), invite()])).toEqual([1, 1, 1]);
});

test('[I12] a fold ends where a day or something new begins', () => {
  const [first, second] = [invite(), invite()];
  const nextDay = { ...second, ts: new Date(Date.UTC(2026, 2, 3)).toISOString() };
  expect(sizes([first, nextDay])).toEqual([1, 1]);
  expect(sizes([first, { ...second, from: 'bo' }], { unread: { after: first.seq, upTo: second.seq } })).toEqual([1, 1]);
});

test('[I12] a fold of which nothing has changed is the very same', () => {
  const events = [invite(), invite()];
  const context = { state: undefined, me: 'ana', unread: undefined, quotedEvents: new Map() };
  const entries = buildEntries(events, context);
  const before = foldEntries(entries);
  expect(reuseRows(before, foldEntries(entries))[0]).toBe(before[0]);
  expect(reuseRows(before, foldEntries([...entries, ...buildEntries([invite()], context)]))[0]).not.toBe(before[0]);
});

test('[T18] what was written before a cut is a row until the answer comes, also if somebody stopped it', () => {
  const wait = () =>
    event('wake.waiting', {
      participant: 'muse',
      event: 'e0',
      why: 'Cut.',
      until: '2026-03-01T13:00:00Z',
      partial: 'One',
    });
  const kinds = (...events: WireEvent[]) => rowsOf(events).map(({ entries }) => entries[0]?.kind);
  expect(kinds(wait(), wait())).toEqual(['cut']);
  expect(kinds(wait(), closed('answered'))).toEqual([]);
  expect(kinds(wait(), closed('stopped', { reason: 'stopped by ana' }))).toEqual(['cut', 'note']);
  expect(kinds(wait(), closed('failed', { reason: 'Cut.', partial: 'Two' }))).toEqual(['cut']);
});
