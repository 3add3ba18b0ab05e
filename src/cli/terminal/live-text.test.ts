import { expect, test } from 'vitest';
import type { StreamItem } from '../../client/index.ts';
import { createOutput } from '../output/output.ts';
import { widthOf } from '../output/text.ts';
import { followText, liveLine, liveLines } from './live-text.ts';

/** All texts that still grow when a stream is read to its end. */
async function textsAfter(...items: readonly object[]) {
  const read = Promise.withResolvers<void>();
  async function* stream() {
    yield* items as StreamItem[];
    read.resolve();
  }
  const texts = followText(stream, () => {});
  await read.promise;
  return texts.current().map(({ thread, from, text }) => `${thread} ${from} ${text}`);
}

const piece = (from: string, at: number, text: string, thread = 't1') => ({
  live: { thread, type: 'text.streamed', content: { job: 'j', from, purpose: 'mind', at, text } },
});
const event = (type: string, from: string, content: object = {}, thread = 't1') => ({
  cursor: 'c',
  event: { thread, type, from, content },
});

test('[M12] texts of several writers grow side by side, and a new try begins again', async () => {
  const texts = await textsAfter(
    ...[piece('a', 0, 'one '), piece('b', 0, 'other'), piece('a', 4, 'two'), piece('b', 0, 'anew')],
    piece('a', 9, 'elsewhere', 't2'),
  );
  expect(texts).toEqual(['t1 a one two', 't1 b anew', 't2 a …elsewhere']);
});

test('[M12] a text is shown until its outcome is recorded, or the work was stopped', async () => {
  const growing = [piece('a', 0, 'one'), piece('b', 0, 'two'), piece('a', 0, 'three', 't2')];
  expect(await textsAfter(...growing, event('iteration.ended', 'a'))).toEqual(['t1 b two', 't2 a three']);
  expect(await textsAfter(...growing, event('run.ended', 'human'))).toEqual(['t2 a three']);
  expect(await textsAfter(...growing, event('wake.closed', 'system', { participant: 'b' }))).toEqual([
    't1 a one',
    't2 a three',
  ]);
  // What is recorded of earlier thoughts meanwhile ends nothing.
  expect(await textsAfter(...growing, event('thought.clustered', 'a'))).toHaveLength(3);
});

test('[M12] what is shown of a text fits the terminal and cannot control it', () => {
  const out = createOutput(false);
  const text = {
    thread: 't1',
    from: 'a mind with a very long name indeed',
    text: `beans\x1b[2J\n${'like sun '.repeat(40)}`,
  };
  expect(widthOf(liveLine(text, out, 59))).toBeLessThanOrEqual(59);
  const lines = liveLines(text, out, 59, 3);
  expect(lines).toHaveLength(4);
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(59);
  const short = liveLines({ ...text, text: 'beans\x1b[2J' }, out, 59, 3);
  expect(short.at(-1)).toBe('    beans␛[2J');
});

test.each([8, 16, 24, 25, 60])('[M12] who writes, and what, fits into %d columns', (width) => {
  const line = liveLine(
    { from: 'researcher-one', text: 'Plant beans in May, after the last frost.' },
    createOutput(false),
    width,
  );
  expect(widthOf(line)).toBeLessThanOrEqual(width);
});
