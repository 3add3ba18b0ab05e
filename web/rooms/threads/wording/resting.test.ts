import { expect, test } from 'vitest';
import type { WireThreadState } from '../../../../src/protocol/threads.ts';
import { restingLine } from './resting.ts';
import { sentenceText } from './sentences.ts';

type Participant = WireThreadState['participants'][number];

function said(mode: WireThreadState['policy']['mode'], ...participants: readonly Participant[]): string {
  const state = { participants, invited_auto: false, policy: { mode } } as unknown as WireThreadState;
  return sentenceText(restingLine(state, 'ana').sentence);
}

const agent = (id: string, more: Partial<Participant> = {}): Participant => ({
  ...{ id, invited: true, muted: null, profile: { kind: 'agent' } },
  ...more,
});
const person = (id: string): Participant => ({ id, invited: true, muted: null, profile: { kind: 'human' } });

test('[T17] the line below the composer says who will answer, who waits to be mentioned and who is muted', () => {
  const auditor = agent('judge', { profile: { kind: 'agent', roles: ['auditor'] } });
  expect(said('auto', agent('sage'), auditor, agent('muse', { muted: 'hard' }))).toBe(
    'sage will answer. judge answers when you mention it. muse will not answer: it is muted.',
  );
  expect(said('large', agent('sage'), agent('muse'))).toBe('sage and muse answer when you mention them.');
  expect(said('small', ...['a', 'b', 'c', 'd', 'e'].map((id) => agent(id)))).toBe('a, b, c and 2 more will answer.');
});

test('[T17] without an agent, the line says that nobody will answer', () => {
  expect(said('auto')).toBe('Nobody will answer yet: you are alone in this thread.');
  expect(said('auto', person('ben'))).toBe('No agent is here to answer; the people you invited will see it.');
});
