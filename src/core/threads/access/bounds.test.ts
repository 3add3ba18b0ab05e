import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import { DEFAULT_AGENT_LIMITS } from '../../agent-limits.ts';
import type { Actor, Event } from '../../events/event.ts';
import { commandInputs } from '../commands.ts';
import { threads } from '../domain.ts';
import { initialThread } from '../state.ts';
import { MAX_OPEN_SIDES, MAX_OPEN_TASKS, MAX_PARTICIPANTS } from './bounds.ts';

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

type Step = ReturnType<typeof says>;
const drafts = (actor: Actor): Step => [actor, 'draft', { thread: 't1', text: 'perhaps' }];

test('[T23] an agent can have twenty drafts waiting in a thread, while humans and other agents are not affected', () => {
  const thread = given(created, ...times(DEFAULT_AGENT_LIMITS.openDrafts, () => drafts(alpha)));
  expect(thread.when(...drafts(alpha))).toMatchObject({ code: 'limit_reached', thread: 't1', participant: 'alpha' });
  expect(thread.when(...drafts(beta))).toMatchObject([{ type: 'draft.proposed' }]);
  expect(thread.when(...drafts(human))).toMatchObject([{ type: 'draft.proposed' }]);
  thread.when(human, 'draft_discard', { thread: 't1', index: 1 });
  expect(thread.when(...drafts(alpha))).toMatchObject([{ type: 'draft.proposed' }]);
});

test('[T23] the waiting drafts of one agent in a thread can take 4 MB together', () => {
  const long = (actor: Actor): Step => [actor, 'draft', { thread: 't1', text: 'x'.repeat(1024 * 1024) }];
  const thread = given(created, ...times(4, () => long(alpha)));
  expect(thread.when(...drafts(alpha))).toMatchObject({ code: 'limit_reached' });
  expect(thread.when(...long(beta))).toMatchObject([{ type: 'draft.proposed' }]);
  expect(thread.when(...long(human))).toMatchObject([{ type: 'draft.proposed' }]);
});

test('[T23] posts of an agent that become drafts count too, but its requested answers are always kept', () => {
  const invite = { invite: { participant_id: 'alpha', profile: { posting: 'draft' } } };
  const thread = given(created, controls(human, invite), ...times(20, () => drafts(alpha)));
  expect(thread.when(...says(alpha, 'one more'))).toMatchObject({ code: 'limit_reached' });
  const [asked] = thread.when(...says(human, '@alpha and you?')) as Event[];
  const answer = { thread: 't1', event: asked?.id, up_to: asked?.seq, outcome: 'answered', text: 'yes' };
  expect(thread.when(alpha, 'answer', answer)).toMatchObject([{ type: 'draft.proposed' }, { type: 'wake.closed' }]);
});

test('[T23] a thread takes a thousand participants, and after that only humans can join by writing', () => {
  const participants = times(MAX_PARTICIPANTS, (i) => [`p${i}`, { invited: true, profile: {} }] as const);
  const full = { ...initialThread('t1'), exists: true, participants: Object.fromEntries(participants) };
  const decide = (...[actor, , input]: Step) => {
    const command = { name: 'post', input: commandInputs.post.parse(input) } as const;
    const context = {
      actor,
      now: '2026-01-01T00:00:00.000Z',
      newId: () => 'new',
      hash: String,
      random: () => 0,
      credentialKind: () => undefined,
    };
    return threads.decide({ thread: () => full, seq: () => 1 }, command, context);
  };
  const invite = (id: string) => controls(human, { invite: { participant_id: id } });
  expect(decide(...invite('one-more'))).toMatchObject({ refusal: { code: 'limit_reached', thread: 't1' } });
  expect(decide(...says(alpha, 'hello'))).toMatchObject({ refusal: { code: 'limit_reached' } });
  expect(decide(...invite('p7'))).toMatchObject([{ type: 'control' }]);
  expect(decide(...says({ id: 'p7', kind: 'agent' }, 'hello'))).toMatchObject([{ type: 'message' }]);
  expect(decide(...says({ id: 'eve', kind: 'human' }, 'hello'))).toMatchObject([{ type: 'message' }]);
});

test('[T23] an agent can only have a limited number of open tasks and side channels', () => {
  const task = (actor: Actor): Step => [actor, 'post', { thread: 't1', type: 'task', to: 'beta', content: 'mend it' }];
  const tasks = given(created, ...times(MAX_OPEN_TASKS, () => task(alpha)));
  expect(tasks.when(...task(alpha))).toMatchObject({ code: 'limit_reached' });
  expect(tasks.when(...task(beta))).toMatchObject([{ type: 'task' }]);
  expect(tasks.when(...task(human))).toMatchObject([{ type: 'task' }]);

  const side = (actor: Actor): Step => [actor, 'side_open', { thread: 't1', question: 'which?', members: ['beta'] }];
  const sides = given(created, ...times(MAX_OPEN_SIDES, () => side(alpha)));
  expect(sides.when(...side(alpha))).toMatchObject({ code: 'limit_reached' });
  expect(sides.when(...side(human))).toMatchObject([{ type: 'thread.created' }, {}, {}, { type: 'side.opened' }]);
});
