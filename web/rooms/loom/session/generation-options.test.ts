import { expect, test } from 'vitest';
import { readOptions, requestsFor } from './generation-options.ts';

test('[I15] three continuations by two models: the first writes two of them', () => {
  expect(requestsFor({ models: ['sage', 'quill'], n: 3, max_tokens: 60 }, 3)).toEqual([
    { model: 'sage', n: 2, max_tokens: 60 },
    { model: 'quill', n: 1, max_tokens: 60 },
  ]);
});

test('[I15] without a wish the loom decides about model and number; more models than continuations write none', () => {
  expect(requestsFor({}, 3)).toEqual([{}]);
  expect(requestsFor({ models: ['sage'] }, 3)).toEqual([{ model: 'sage' }]);
  expect(requestsFor({ models: ['a', 'b', 'c'], n: 2 }, 3)).toEqual([
    { model: 'a', n: 1 },
    { model: 'b', n: 1 },
  ]);
});

test('[I15] the one model that an earlier version kept is still chosen', () => {
  expect(readOptions({ model: 'sage', n: 2 })).toEqual({ models: ['sage'], n: 2 });
  expect(readOptions(undefined)).toEqual({});
});
