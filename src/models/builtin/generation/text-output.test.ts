import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '../../../../test/support/random.ts';
import { createTextOutput } from './text-output.ts';

test('[M3] a text comes out whole up to the first stop text, however it is cut into tokens', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\n', 'é', '🎉', ' ') });
  const stops = fc.array(fc.constantFrom('"', '\n\n', 'ab', 'aab', '🎉', 'b\n"'), { maxLength: 3 });
  fc.assert(
    fc.property(text, stops, fc.array(fc.integer({ min: 1, max: 5 })), (whole, given, cuts) => {
      const ends = given.map((stop) => whole.indexOf(stop)).filter((at) => at >= 0);
      const expected = ends.length === 0 ? whole : whole.slice(0, Math.min(...ends));
      expect(runThrough(whole, given, cuts).text).toBe(expected);
    }),
    { numRuns: fuzzRuns(1000) },
  );
});

test('[M3] the texts of all tokens add up to the text, and half a character waits for the rest', () => {
  const { chunks } = runThrough('a🎉b', [], [1, 2, 2, 1]);
  expect(chunks.map(({ text }) => text)).toEqual(['a', '🎉', 'b']);
  expect(chunks.map(({ tokens }) => tokens)).toEqual([['a'], ['', '🎉'], ['b']]);
});

test('[M3] text that could become a stop text is held back, and released if it does not', () => {
  const { chunks } = runThrough('say "no', ['"yes'], [1, 1, 1, 1, 1, 1, 1]);
  expect(chunks.map(({ text }) => text)).toEqual(['s', 'a', 'y', ' ', '"n', 'o']);
});

test('[M3] a stop text across tokens cuts the token it starts in', () => {
  expect(runThrough('one. "two', ['. "'], [4, 9])).toMatchObject({ text: 'one', kept: '' });
  expect(runThrough('one."two', ['"'], [2, 9])).toMatchObject({ text: 'one.', kept: 'e.' });
});

test('[M3] an end inside a character is shown as such', () => {
  const outlet = recorder([]);
  outlet.push(Buffer.from('é').subarray(0, 1));
  outlet.flush();
  expect(outlet.text()).toBe('\ufffd');
});

function runThrough(text: string, stops: readonly string[], cuts: readonly number[]) {
  const outlet = recorder(stops);
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = cuts[i % cuts.length] ?? 1;
    const { stopped, keptText: kept } = outlet.push(bytes.subarray(at, at + size), { logprob: 0, alternatives: [] });
    if (stopped) return { text: outlet.text(), chunks: outlet.chunks, kept };
    at += size;
  }
  outlet.flush();
  return { text: outlet.text(), chunks: outlet.chunks, kept: undefined };
}

function recorder(stops: readonly string[]) {
  const chunks: { text: string; tokens: readonly string[] | undefined }[] = [];
  const outlet = createTextOutput(stops, /^/, (text, tokens) =>
    chunks.push({ text, tokens: tokens?.map((one) => one.text) }),
  );
  return { ...outlet, chunks, text: () => chunks.map((chunk) => chunk.text).join('') };
}
