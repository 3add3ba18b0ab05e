import { expect, test } from 'vitest';
import { freeId } from '../panel/invite-model.tsx';
import { notPosted } from './wake.ts';

test('[T19] a draft that was held says why', () => {
  expect(notPosted('alpha is muted in this thread')).toBe('Not posted: alpha is muted in this thread.');
  expect(notPosted(undefined)).toBe('Not posted: it drafts, and you decide.');
});

test('[I12] a model takes part under an id that is like its name and nobody’s yet', () => {
  const taken = new Set(['small', 'small-2']);
  expect(freeId('small', taken)).toBe('small-3');
  expect(freeId('Qwen 2.5/7B', taken)).toBe('qwen-2.5-7b');
  expect(freeId('all', taken)).toBe('model-all');
  expect(freeId('猫', taken)).toBe('model');
});
