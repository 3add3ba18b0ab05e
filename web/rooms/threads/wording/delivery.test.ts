import { expect, test } from 'vitest';
import type { WireDelivery } from '../../../../src/client/index.ts';
import { deliveryText, wakePreviewSentence } from './delivery.ts';
import { sentenceText } from './sentences.ts';

function to(participant: string, decision: WireDelivery['decision'], code: string, reason: string): WireDelivery {
  return { participant, decision, code, reason, reach: 'none' };
}

const words = (...delivery: WireDelivery[]) => sentenceText(wakePreviewSentence(delivery, 'ana') ?? []);

test('[T17] who would answer and who would not is one sentence, with those of one reason together', () => {
  expect(
    words(
      to('alpha', 'wake', 'woken', 'ana mentioned alpha'),
      to('beta', 'wake', 'woken', 'ana mentioned beta'),
      to('gamma', 'no', 'muted', 'gamma is muted'),
      to('delta', 'no', 'muted', 'delta is muted'),
    ),
  ).toBe('alpha and beta will answer, because you mentioned them; gamma and delta will not: they are muted');
});

test('[T17] one after the other, when it resumes, and nobody at all', () => {
  const small = 'in a small thread, a human’s message wakes every agent';
  expect(
    words(to('alpha', 'wake', 'woken', small), to('beta', 'queue', 'queued', `${small}; next if alpha stays silent`)),
  ).toBe(`alpha will answer, then beta, because ${small}`);
  expect(words(to('alpha', 'queue', 'paused', 'the thread is paused'))).toBe(
    'alpha will answer when the thread resumes',
  );
  const large = 'this thread is large, and nobody was addressed';
  const many = Array.from({ length: 40 }, (_, index) => to(`a${index}`, 'no', 'not_addressed', large));
  expect(words(...many)).toBe(`Nobody will answer: ${large}`);
  expect(words(to('x', 'wake', 'woken', 'ana addressed x'), ...many)).toBe(
    `x will answer, because you addressed it; a0, a1, a2 and 37 more will not: ${large}`,
  );
  expect(wakePreviewSentence([], 'ana')).toBeUndefined();
});

test('[T17] a stored message tells what became of it for each', () => {
  expect(deliveryText(to('alpha', 'wake', 'woken', 'bo mentioned alpha'), 'ana')).toBe(
    'was woken, because bo mentioned it',
  );
  expect(deliveryText(to('beta', 'no', 'hop_limit', 'agents have woken each other 4 times; a human can let it continue'), 'ana'))
    .toBe('was not woken: agents have woken each other 4 times; you can let it continue'); // biome-ignore format: one line
});

test('[T17] a message whose reply was called off no longer says that it wakes somebody', () => {
  const off = { participant: 'alpha', event: 'e1', up_to: 1, outcome: 'stopped' } as const;
  const closed = { ...off, reason: 'cancelled because ana muted it' };
  expect(deliveryText(to('alpha', 'wake', 'woken', 'ana addressed alpha'), 'ana', closed)).toBe(
    'was to answer, because you addressed it; cancelled because ana muted it',
  );
  const paused = to('alpha', 'queue', 'paused', 'the thread is paused; it is delivered when it resumes');
  expect(deliveryText(paused, 'ana')).toBe('waits: the thread is paused; it is delivered when it resumes');
  expect(deliveryText(paused, 'ana', closed)).toBe(
    'was to answer when the thread resumed; cancelled because ana muted it',
  );
  expect(deliveryText(paused, 'ana', { ...off, outcome: 'answered' })).toBe(
    'was woken when the thread resumed; it answered',
  );
});
