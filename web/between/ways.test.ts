import { expect, test } from 'vitest';
import type { ThreadRow } from '../../src/client/index.ts';
import { waysInto } from './ways.ts';

const ways = (kind: ThreadRow['kind'], turn: number | null, link: string) =>
  waysInto({ kind, about: { turn } }, { link }).map(([way]) => way);

test('[I11] what can be brought back depends on where to, and in a dialogue on what it waits for', () => {
  expect(ways('conversation', null, '/threads/T#E')).toEqual(['draft', 'message']);
  expect(ways('exchange', null, '/exchange/T#audit.1')).toEqual(['message']);
  expect(ways('loom', null, '/loom/T#n')).toEqual(['branch']);
  expect(ways('dialogue', null, '/dialogue/T#1.2')).toEqual(['message']);
  expect(ways('dialogue', 2, '/dialogue/T#1.2')).toEqual(['steer']);
  expect(ways('dialogue', 2, '/dialogue/T#2')).toEqual(['steer']);
  expect(ways('dialogue', 2, '/dialogue/T#2.5')).toEqual(['accept', 'steer']);
});
