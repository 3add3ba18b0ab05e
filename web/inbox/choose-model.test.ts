import { expect, test } from 'vitest';
import { chooseModel } from './choose-model.ts';

const model = (name: string, code: string, ...default_for: string[]) =>
  ({ name, state: { code }, default_for }) as never;
const nameOf = (...models: readonly never[]) => (chooseModel(models) as { name: string } | undefined)?.name;

test('[I31] a new conversation gets the default model for minds, or else the first one that is ready', () => {
  expect(nameOf(model('small', 'ready'), model('wise', 'ready', 'mind'))).toBe('wise');
  expect(nameOf(model('gone', 'no_key', 'mind'), model('small', 'ready'), model('other', 'ready'))).toBe('small');
});

test('[I31] a new conversation starts without a model when none is ready or its name cannot be an id', () => {
  expect(nameOf()).toBeUndefined();
  expect(nameOf(model('wise', 'no_key'))).toBeUndefined();
  expect(nameOf(model('My Model', 'ready'))).toBeUndefined();
});
