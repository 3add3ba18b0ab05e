import { expect, test } from 'vitest';
import { type CollectedChoice, type LoomCall, mergeCalls } from './result.ts';

const choice = (text: string, finish: CollectedChoice['finish']): CollectedChoice => ({
  text,
  finish,
  withheld: false,
  tokens: [],
});

function callWith(...choices: readonly CollectedChoice[]): LoomCall {
  return { called: undefined, refusal: undefined, choices, dropped: undefined, templated: false };
}

test('[W16] a choice that I watched keeps its number if one before it is empty', () => {
  const answer = mergeCalls('m', [
    [0, callWith(choice('', undefined), choice(' upon', 'stop'))],
    [3, callWith(choice('', 'stop'), choice(' more', 'cancelled'))],
  ]);
  expect('choices' in answer && answer.choices).toEqual([
    { content: ' upon', finish: 'stop', number: 1 },
    { content: '', finish: 'stop', number: 3 },
    { content: ' more', finish: 'cancelled', number: 4 },
  ]);
});

test('[W16] choices that all arrived need no number besides their place', () => {
  const answer = mergeCalls('m', [
    [0, callWith(choice('', 'stop'))],
    [1, callWith(choice(' upon', 'length'))],
  ]);
  expect('choices' in answer && answer.choices.map(({ number }) => number)).toEqual([undefined, undefined]);
});
