import { expect, test } from 'vitest';
import type { WireEvent } from '../../src/client/index.ts';
import { formatPassages, formatTitle, messagePassages, roundPassages, turnPassages } from './markdown.ts';

const ts = '2026-11-16T06:00:00.000Z';

test('[I11] what was said is exported as it was written, with who and when', () => {
  const event = (type: string, from: string, content: unknown) => ({ type, from, content, ts }) as WireEvent;
  const parts = messagePassages([
    event('thread.created', 'ana', { title: 'Garden' }),
    event('message', 'ana', '**Beans** first.\n'),
    event('result', 'alpha', { status: 'done', text: 'Planted.' }),
  ]);
  expect(formatTitle('Garden\nplan') + formatPassages(parts)).toBe(
    '# Garden plan\n\n**ana**, 2026-11-16 06:00\n\n**Beans** first.\n\n**alpha**, result done, 2026-11-16 06:00\n\nPlanted.\n',
  );
});

test('[I11] of a dialogue what was accepted is exported, and the message that waits', () => {
  const turn = { message: 'Why salt?', reply: 'Rivers.', by: 'ana', ts };
  expect(turnPassages([turn], { by: 'ana', ts, text: 'And sweet?' })).toEqual([
    { by: 'ana', text: 'Why salt?' },
    { by: 'The mind', as: 'accepted by ana', ts, text: 'Rivers.' },
    { by: 'ana', ts, text: 'And sweet?', as: 'not yet answered' },
  ]);
});

test('[I11] of an exchange rounds are exported in their order, each with what was said after it', () => {
  const thought = { id: 1, author: 'mind_0', text: 'The sea\nis old.' };
  const said = (round: number, type: 'injection' | 'observer_role') => ({
    type,
    by: 'ana',
    ts,
    round,
    text: `after ${round}`,
  });
  const parts = roundPassages(
    [
      { round: 1, thoughts: [thought] },
      { round: 2, thoughts: [] },
    ],
    [said(0, 'injection'), said(1, 'observer_role')],
  );
  expect(parts.map(({ by, as, text }) => [by, as, text])).toEqual([
    ['ana', 'injection', 'after 0'],
    ['Round 1', undefined, '- #1 mind_0: The sea is old.'],
    ['ana', 'observer role', 'after 1'],
    ['Round 2', undefined, ''],
  ]);
});
