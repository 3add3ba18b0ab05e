import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../test/support/random.ts';
import { createFrameParser, type SseFrame } from './sse.ts';

const parseAll = (pieces: readonly string[]): SseFrame[] => {
  const parse = createFrameParser();
  return pieces.flatMap((piece) => parse(piece));
};

test('[I6] frames, comments, and fields nobody asked for', () => {
  const text =
    'retry: 1000\nid: t1.0\n\n: hello\n\nid: t1.1\nevent: message\ndata: {"a":1}\n\nevent: dropped\ndata: x\ndata: y\nother\n\n';
  expect(parseAll([text])).toEqual([
    { id: 't1.0', event: 'message', data: '' },
    { id: 't1.1', event: 'message', data: '{"a":1}' },
    { id: undefined, event: 'dropped', data: 'x\ny' },
  ]);
  expect(parseAll([text.replaceAll('\n', '\r\n')])).toEqual(parseAll([text]));
});

test('[I6] a frame that broke off is not one', () => {
  expect(parseAll(['id: t1.1\ndata: {"half'])).toEqual([]);
  expect(parseAll(['id: t1.1\ndata: {}\n'])).toEqual([]);
});

// A failing run prints its seed.
test('[I6] however a stream is cut on its way, the same frames come of it', () => {
  const frame = fc.record({
    id: fc.option(fc.stringMatching(/^[a-z0-9.]+$/), { nil: undefined }),
    event: fc.stringMatching(/^[a-z.]+$/),
    data: fc.json(),
  });
  const stream = fc.tuple(fc.array(frame), fc.array(fc.nat(50)), fc.constantFrom('\n', '\r\n'));
  fc.assert(
    fc.property(stream, ([frames, cuts, end]) => {
      const line = (name: string, value: string | undefined) => (value === undefined ? '' : `${name}: ${value}${end}`);
      const text = frames
        .map(({ id, event, data }) => line('id', id) + line('event', event) + line('data', data) + end)
        .join('');
      const pieces: string[] = [];
      let at = 0;
      for (const cut of cuts) {
        pieces.push(text.slice(at, at + cut));
        at += cut;
      }
      pieces.push(text.slice(at));
      expect(parseAll(pieces)).toEqual(frames);
    }),
    { numRuns: fuzzRuns(200) },
  );
});
