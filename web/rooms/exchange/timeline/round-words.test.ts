import { expect, test } from 'vitest';
import type { RoundCall } from '../../../../src/client/index.ts';
import { describeRound } from './round-words.ts';

const call = (outcome: RoundCall['outcome'], restart?: string) => ({ outcome, restart }) as RoundCall;

test('[I14] a round says in words what came of it', () => {
  expect(describeRound({ thoughts: [1, 2], calls: [call('thoughts'), call('thoughts', 'Why?')] })).toBe(
    '2 thoughts and a restart request',
  );
  expect(describeRound({ thoughts: [1], calls: [call('thoughts')] })).toBe('1 thought');
  expect(describeRound({ thoughts: [1], calls: [call('thoughts'), call('silence'), call('error')] })).toBe(
    '1 thought, 1 silent and 1 failure',
  );
  expect(describeRound({ thoughts: [], calls: [] })).toBe('no thoughts');
});
