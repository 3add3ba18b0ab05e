import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fuzzRuns } from '../../../test/support/random.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { type FittedPrompt, fitInput, type PromptPart } from './fit.ts';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;
const count = async (parts: readonly PromptPart[]) => parts.reduce((sum, { text }) => sum + words(text), 0);
const HASH = 'f'.repeat(64);

const parts: readonly PromptPart[] = [
  { kind: 'fixed', id: 'rules', text: 'one two' },
  { kind: 'terms', id: 'spec', text: `first line\n${'word '.repeat(100)}`, hash: HASH },
  { kind: 'history', id: 'h1', text: 'a b c' },
  { kind: 'history', id: 'h2', text: 'd e f' },
  { kind: 'pool', id: 'p1', text: 'g h' },
  { kind: 'draft', id: 'd1', text: 'i j' },
  { kind: 'awaiting', id: 'm', text: 'k l m' },
];

describe('[M10] fitting an input', () => {
  test('[M10] an input that fits stays whole', async () => {
    expect(await fitInput(parts, 117, count)).toEqual({
      parts,
      tokens: 117,
      dropped: { pool: [], history: [], drafts: [], shortened: [] },
      legibility: 'full',
    });
  });

  test.each([
    [116, { pool: ['p1'], history: [], drafts: [], shortened: [] }],
    [112, { pool: ['p1'], history: ['h1'], drafts: [], shortened: [] }],
    [109, { pool: ['p1'], history: ['h1', 'h2'], drafts: [], shortened: [] }],
    [107, { pool: ['p1'], history: ['h1', 'h2'], drafts: ['d1'], shortened: [] }],
    [60, { pool: ['p1'], history: ['h1', 'h2'], drafts: ['d1'], shortened: ['spec'] }],
  ])('[M10] at %i tokens the pool is cut first, then history, older drafts and the terms', async (limit, dropped) => {
    const fitted = (await fitInput(parts, limit, count)) as FittedPrompt;
    expect(fitted.dropped).toEqual(dropped);
    expect(fitted.legibility).toBe(dropped.shortened.length > 0 ? 'partial' : 'full');
    const spec = fitted.parts.find(({ id }) => id === 'spec');
    if (fitted.legibility === 'partial') expect(spec?.text).toMatch(new RegExp(`${HASH}\\]\nfirst line`));
  });

  test('[M10] the awaiting message is never cut, and an input that is still too long is refused with the numbers', async () => {
    const long: PromptPart[] = [...parts.slice(0, -1), { kind: 'awaiting', id: 'm', text: 'x '.repeat(500) }];
    const refused = (await fitInput(long, 200, count)) as Refusal;
    expect(refused.refusal).toMatchObject({ code: 'context_too_small', limit: 200 });
    expect(refused.refusal.message).toContain('200');
    expect((await fitInput([long.at(-1) as PromptPart], 499, count)) as Refusal).toHaveProperty('refusal');
  });

  test('[M10] for any input the required parts stay, no more is cut than necessary, and in order', async () => {
    const part = fc.record({
      kind: fc.constantFrom('fixed', 'awaiting', 'pool', 'history', 'draft', 'terms'),
      size: fc.nat(40),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 14 }), fc.nat(200), async (given, limit) => {
        const input = given.map(
          ({ kind, size }, at) => ({ kind, id: `${at}`, text: 'w\n'.repeat(size), hash: HASH }) as PromptPart,
        );
        const fitted = await fitInput(input, limit, count);
        const order = (['pool', 'history', 'draft', 'terms'] as const).flatMap((kind) =>
          input.filter((each) => each.kind === kind).map(({ id }) => id),
        );
        if (isRefusal(fitted)) return;
        const { pool, history, drafts, shortened } = fitted.dropped;
        const dropped = [...pool, ...history, ...drafts, ...shortened];
        expect(dropped).toEqual(order.slice(0, dropped.length));
        expect(await count(fitted.parts)).toBe(fitted.tokens);
        expect(fitted.tokens).toBeLessThanOrEqual(limit);
        const required = input.filter(({ kind }) => kind === 'fixed' || kind === 'awaiting');
        expect(fitted.parts.filter(({ kind }) => kind === 'fixed' || kind === 'awaiting')).toEqual(required);
        if (dropped.length === 0) return;
        // One less would not have been enough, as long as every step made it shorter.
        const kept = input.filter(({ id, kind }) => !dropped.slice(0, -1).includes(id) || kind === 'terms');
        if (shortened.length === 0) expect(await count(kept)).toBeGreaterThan(limit);
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});
