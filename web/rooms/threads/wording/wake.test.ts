import { expect, test } from 'vitest';
import { uniqueId } from '../dialogs/unique-id.ts';
import { notPostedText } from './wake.ts';

test('[T19] a draft that was held says why', () => {
  expect(notPostedText('alpha is muted in this thread')).toBe('Not posted: alpha is muted in this thread.');
  expect(notPostedText(undefined)).toBe('Not posted: this agent drafts, and you decide.');
});

test('[I12] a model takes part under an id that is like its name and nobody’s yet', () => {
  const taken = new Set(['small', 'small-2']);
  expect(uniqueId('small', taken)).toBe('small-3');
  expect(uniqueId('Qwen 2.5/7B', taken)).toBe('qwen-2.5-7b');
  expect(uniqueId('all', taken)).toBe('model-all');
  expect(uniqueId('猫', taken)).toBe('model');
});
