import { expect, test } from 'vitest';
import { createFailureMessages } from './failure-message.ts';

const error = { code: 'model_unavailable', message: 'The connection was lost.' };

test('[W16] I am told how many ways came of those I asked for, and why the others did not', () => {
  const wordsOf = createFailureMessages();
  const words = (type: string, content: object) => wordsOf({ type, content: { generation: 'g', ...content } } as never);
  expect(words('generation.requested', { n: 3 })).toBeUndefined();
  expect(words('generation.finished', { choices: [{}, {}, {}] })).toBeUndefined();
  expect(words('generation.finished', { choices: [{}], error })).toBe('1 of 3 arrived. The connection was lost.');
  expect(words('generation.finished', { choices: [{}, {}, {}], error })).toBe(
    'The connection was lost. The text so far is kept.',
  );
  expect(words('generation.failed', error)).toBe('The connection was lost. Your text was not changed.');
});
