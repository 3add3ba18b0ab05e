import { expect, test } from 'vitest';
import { alpha, beta, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import { fuzzRuns, seeded } from '../../../../test/support/random.ts';
import type { Job } from '../../decider.ts';
import { findEventProblem } from '../../events/check.ts';
import type { Actor, Event } from '../../events/event.ts';
import { threads } from '../domain.ts';
import { deliveriesFor } from './routing.ts';

const invite = (id: string, profile: object = {}) =>
  controls(human, { invite: { participant_id: id, profile: { kind: 'agent', ...profile } } });
const messageTo = (actor: Actor, other: string, text = 'what do you think of it?') => says(actor, text, { to: other });
const pair = () => {
  const thread = given(created, invite('alpha'), invite('beta'));
  for (const who of [alpha, beta]) thread.when(...says(who, 'I am here'));
  thread.when(...says(human, 'talk to each other', { to: ['alpha'] }));
  return thread;
};
const codeFor = (thread: ReturnType<typeof given>, step: ReturnType<typeof says>) => {
  const [event] = thread.when(...step) as Event[];
  return deliveriesFor(thread.state(), event as Event)[0]?.code;
};

test('[T16] each agent message traces back to the human message that woke it, one step further each time', () => {
  const thread = pair();
  const root = thread.events.at(-1)?.id as string;
  expect(thread.state().routing.wakes.alpha?.[0]?.cause).toEqual({ root, depth: 1 });
  const [said] = thread.when(...messageTo(alpha, 'beta')) as Event[];
  expect(said?.meta.cause).toEqual({ root, depth: 1 });
  expect(thread.state().routing.wakes).toMatchObject({ beta: [{ cause: { root, depth: 2 } }] });
  expect(thread.state().routing.wakes.alpha).toBeUndefined();
});

test('[T16] agents continue by themselves for four steps, and a human can let them continue', () => {
  const thread = pair();
  const codes = [alpha, beta, alpha, beta].map((who) =>
    codeFor(thread, messageTo(who, who === alpha ? 'beta' : 'alpha')),
  );
  expect(codes).toEqual(['woken', 'woken', 'woken', 'hop_limit']);
  expect(thread.state().routing.stopped).toMatchObject([{ participant: 'alpha' }]);
  expect(thread.state().routing.stopped[0]?.reason).toContain('a human can let it continue');
  thread.when(...controls(human, { continue: true }));
  expect(thread.state().routing.stopped).toEqual([]);
  expect(thread.state().routing.wakes.alpha?.[0]?.cause.depth).toBe(1);
  expect(codeFor(thread, messageTo(alpha, 'beta'))).toBe('woken');
});

test('[T16] agents can wake an agent at most four times for one human message', () => {
  const thread = pair();
  const codes = Array.from({ length: 5 }, () => codeFor(thread, messageTo(alpha, 'beta')));
  expect(codes).toEqual(['woken', 'woken', 'woken', 'woken', 'hop_limit']);
  thread.when(...says(human, 'again', { to: 'alpha' }));
  expect(codeFor(thread, messageTo(alpha, 'beta'))).toBe('woken');
});

test('[T16] the limits are settings of the thread', () => {
  const thread = pair();
  thread.when(...controls(human, { policy: { mode: 'auto', hops: 1, wakes: 1 } }));
  expect(codeFor(thread, messageTo(alpha, 'beta'))).toBe('hop_limit');
  thread.when(...controls(human, { policy: { mode: 'auto', hops: 64, wakes: 1 } }));
  expect(codeFor(thread, messageTo(alpha, 'beta'))).toBe('woken');
  expect(codeFor(thread, messageTo(alpha, 'beta'))).toBe('hop_limit');
});

test.each(['+1', 'Agreed.', ' ok!! ', '*Thanks*', '...'])('[T16] "%s" is recorded and wakes nobody', (text) => {
  const thread = pair();
  expect(codeFor(thread, messageTo(alpha, 'beta', text))).toBe('empty_reply');
  expect(codeFor(thread, messageTo(human, 'beta', text))).toBe('not_addressed');
  expect(thread.state().routing.wakes.beta).toHaveLength(1);
});

test('[T7] a human message in a paused thread waits and is delivered when the thread resumes', () => {
  const thread = given(created, invite('alpha', { client: 'model' }));
  thread.when(...says(alpha, 'I am here'));
  thread.when(...controls(human, { pause: { on: true } }));
  expect(codeFor(thread, says(human, 'hello'))).toBe('paused');
  expect(thread.jobs()).toEqual([]);
  thread.when(...controls(human, { pause: { on: false } }));
  expect(thread.jobs()).toMatchObject([{ kind: 'agent.answer', input: { participant: 'alpha' } }]);
});

test('[T7] [T8] muting, uninviting and finishing the thread cancel an agent’s pending answers', () => {
  for (const off of [{ mute: { targets: ['alpha'] } }, { uninvite: { participant_id: 'alpha' } }, { done: true }]) {
    const thread = given(created, invite('alpha', { client: 'model' }));
    expect(thread.jobs()).toHaveLength(1);
    thread.when(...controls(human, off));
    expect(thread.jobs()).toEqual([]);
  }
});

test('[T18] I am told that a prod is cancelled when the agent is muted or uninvited', () => {
  for (const [off, why] of [
    [{ mute: { targets: ['alpha', 'beta'] } }, 'ana muted it'],
    [{ mute: { targets: ['alpha'], mode: 'soft' } }, 'ana muted it'],
    [{ uninvite: { participant_id: 'alpha' } }, 'ana uninvited it'],
  ] as const) {
    const thread = given(created, invite('alpha'), says(alpha, 'I am here'));
    const [prod] = thread.when(...controls(human, { prod: ['alpha'] })) as Event[];
    const [, closed, ...others] = thread.when(...controls(human, off)) as Event[];
    const { id: event, seq: up_to } = prod as Event;
    expect(closed).toMatchObject({
      ...{ type: 'wake.closed', from: 'system' },
      content: { participant: 'alpha', event, up_to, outcome: 'stopped', reason: `cancelled because ${why}` },
    });
    expect([others, thread.state().routing.wakes]).toEqual([[], {}]);
    // Nothing was asked of it any more.
    if ('mute' in off) expect(thread.when(...controls(human, off))).toHaveLength(1);
  }
});

test('[T13] when several agents hear the same message, the others wait for the first', () => {
  const thread = given(created, invite('alpha', { client: 'model' }), invite('beta', { client: 'model' }));
  for (const who of [alpha, beta]) thread.when(...says(who, 'I am here'));
  thread.when(...says(human, 'what now?'));
  const jobInputs = () => thread.jobs().map(({ input }) => input);
  expect(jobInputs()).toMatchObject([{ participant: 'alpha' }, { participant: 'beta', behind: 'alpha' }]);
  thread.when(...says(alpha, 'this'));
  expect(jobInputs()).toEqual([{ participant: 'beta', event: expect.any(String), seq: expect.any(Number) }]);
});

test('[T12] the outcome of a wake is reported by the workspace itself, and such reports by agents in older logs still count', () => {
  const steps = [created, invite('alpha', { client: 'model' }), says(human, 'one')] as const;
  const thread = given(...steps);
  const { event } = (thread.jobs()[0] as Job).input as { event: string };
  const content = { participant: 'alpha', event, up_to: 3, outcome: 'declined', reason: 'It passed.' } as const;
  const { participant: _, ...input } = content;
  const [report] = thread.when(alpha, 'answer', { thread: 't1', ...input }) as Event[];
  expect(report).toMatchObject({ type: 'wake.closed', from: 'system', content, meta: { by: 'automation' } });
  expect(thread.jobs()).toEqual([]);

  const before = given(...steps);
  const old = { ...(report as Event), from: 'alpha', meta: { by: 'agent' as const }, content };
  expect(threads.jobs(threads.evolve(before.state(), old))).toEqual([]);
});

test('[T18] one answer settles everything it replies to, and one that may not be posted becomes a draft', () => {
  const thread = given(created, invite('alpha', { client: 'model' }), says(human, 'one'), says(human, 'two'));
  const [wake] = thread.jobs();
  const { event } = (wake as Job).input as { event: string };
  const answer = { thread: 't1', event, up_to: thread.events.length, outcome: 'answered', text: 'both' };
  const events = thread.when(alpha, 'answer', answer) as Event[];
  expect(events.map(({ type }) => type)).toEqual(['wake.closed', 'message']);
  expect(thread.jobs()).toEqual([]);
  thread.when(...says(human, 'three'));
  const next = thread.jobs()[0]?.input as { event: string };
  thread.when(...controls(human, { mute: { targets: ['alpha'] } }));
  const held = thread.when(alpha, 'answer', { ...answer, event: next.event, text: 'late' }) as Event[];
  expect(held).toMatchObject([{ type: 'draft.proposed', content: { text: 'late', held: expect.any(String) } }]);
});

test('[T18] a message that arrives while an agent answers still waits for an answer', () => {
  const thread = given(created, invite('alpha', { client: 'model' }));
  const { event, seq } = (thread.jobs()[0] as Job).input as { event: string; seq: number };
  thread.when(...says(human, 'and this?'));
  thread.when(alpha, 'answer', { thread: 't1', event, up_to: seq, outcome: 'answered', text: 'Hello.' });
  expect(thread.jobs()).toMatchObject([{ input: { participant: 'alpha', seq: 3 } }]);
});

test('[T18] a human can stop an agent that is answering', () => {
  const thread = given(created, invite('alpha', { client: 'model' }));
  thread.when(human, 'stop_answer', { thread: 't1', participant: 'alpha' });
  expect(thread.jobs()).toEqual([]);
  expect(thread.when(human, 'stop_answer', { thread: 't1', participant: 'alpha' })).toMatchObject({
    code: 'not_answering',
  });
});

test('[T19] a draft of an agent is posted by a human, in the agent’s name, with the changes recorded', () => {
  const thread = given(created, invite('alpha', { posting: 'draft' }));
  expect((thread.when(...says(alpha, 'First try')) as Event[])[0]?.type).toBe('draft.proposed');
  thread.when(...says(alpha, 'Second try'));
  const [settled, message] = thread.when(human, 'draft_accept', {
    thread: 't1',
    index: 2,
    text: 'Second try!',
  }) as Event[];
  expect(settled?.content).toMatchObject({ index: 2, outcome: 'accepted', text: 'Second try!' });
  expect(message).toMatchObject({ from: 'alpha', content: 'Second try!', meta: { accepted_by: 'ana', draft: 2 } });
  expect(message?.meta.cause).toBeDefined();
  expect(thread.when(human, 'draft_accept', { thread: 't1', index: 2 })).toMatchObject({ code: 'unknown_draft' });
  thread.when(human, 'draft_discard', { thread: 't1', index: 1 });
  expect(thread.state().drafts.open).toEqual({});
});

test('[T19] inviting again switches between drafting and posting, and only a human can allow posting', () => {
  const thread = given(created, invite('alpha'), invite('beta'));
  const setPosting = (actor: Actor, how: string) =>
    thread.when(...controls(actor, { invite: { participant_id: 'alpha', profile: { posting: how } } }));
  expect(setPosting(beta, 'draft')).toMatchObject({ code: 'forbidden', participant: 'alpha' });
  thread.when(...controls(alpha, { profile: { posting: 'draft' } }));
  expect((thread.when(...says(alpha, 'One')) as Event[])[0]?.type).toBe('draft.proposed');
  for (const refused of [
    setPosting(beta, 'direct'),
    setPosting(alpha, 'direct'),
    thread.when(...controls(alpha, { profile: { posting: 'direct' } })),
  ])
    expect(refused).toMatchObject({ code: 'forbidden', participant: 'alpha' });
  thread.when(...controls(alpha, { profile: { nickname: 'Al' } }));
  setPosting(human, 'direct');
  expect((thread.when(...says(alpha, 'Two')) as Event[])[0]?.type).toBe('message');
});

/** Agents that answer every wake with whatever may wake others, until nobody is awake. */
function runOn(seed: number): number {
  const { next: random, pick } = seeded(seed);
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, 2 + Math.floor(random() * 5));
  const thread = given(created, ...ids.map((id) => invite(id)));
  const threads = ['t1'];
  if (random() < 0.7) thread.when(...controls(human, { discussion: { on: true } }));
  if (random() < 0.5) thread.when(...controls(human, { invited_auto: { on: true } }));
  const mode = pick(['small', 'large', 'auto'] as const);
  if (random() < 0.5) thread.when(...controls(human, { policy: { mode, wakes: Math.floor(random() * 40) } }));
  thread.when(...says(human, '@all begin'));
  const act = (id: string, where: string) => {
    const actor: Actor = { id, kind: 'agent' };
    const other = pick(ids);
    const post = (type: string, content: unknown, more: object = {}) =>
      thread.when(actor, 'post', { thread: where, type, content, ...more });
    switch (Math.floor(random() * 6)) {
      case 0:
        return post('message', `@${other} and @${pick(ids)}, go on`);
      case 1:
        return post('message', 'your turn', { to: [...new Set([other, pick(ids)])] });
      case 2:
        return post('control', { prod: [other] });
      case 3:
        return post('control', { invite: { participant_id: other } });
      case 4:
        return post('task', 'do it', { to: other });
      default: {
        const opened = thread.when(actor, 'side_open', { thread: where, question: 'what?', members: [other] });
        if (!('code' in opened)) threads.push((opened as Event[])[0]?.thread as string);
        return post('message', 'I asked beside');
      }
    }
  };
  for (let actions = 0; ; actions++) {
    const awake = threads.flatMap((where) =>
      Object.keys(thread.state(where).routing.wakes).map((id) => [id, where] as const),
    );
    if (awake.length === 0 || actions > 20_000) return actions;
    const [id, where] = pick(awake);
    for (let i = Math.ceil(random() * 3); i > 0; i--) act(id, where);
    // Whatever it did, it has answered.
    thread.when({ id, kind: 'agent' }, 'post', { thread: where, type: 'message', content: 'so much from me' });
  }
}

test('[T16] agents cannot go on forever by messages, mentions, prods, invitations, tasks and side channels', () => {
  const seeds = Array.from({ length: fuzzRuns(40) }, (_, i) => i + 1);
  for (const seed of seeds) expect(runOn(seed), `seed ${seed}`).toBeLessThan(20_000);
}, 120_000);

test('[T13] another participant never removes someone’s wake unless a rule says so', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const { next: random } = seeded(seed);
    const auto = random() < 0.5;
    const setup = () => {
      const thread = given(created, invite('alpha'), invite('beta'));
      for (const who of [alpha, beta]) thread.when(...says(who, 'I am here'));
      if (auto) thread.when(...controls(human, { invited_auto: { on: true } }));
      return thread;
    };
    const step = random() < 0.5 ? says(human, 'hello @beta') : says(human, 'hello', { to: 'alpha' });
    const before = setup();
    before.when(...step);
    const after = setup();
    after.when(...invite('gamma'));
    after.when(...step);
    for (const id of Object.keys(before.state().routing.wakes)) expect(after.state().routing.wakes).toHaveProperty(id);
  }
});

test('[L25] [T18] usage that a file claims from before a wait counts only as numbers, and is only reported once', () => {
  const thread = given(created, invite('alpha'));
  const [wake] = thread.state().routing.wakes.alpha ?? [];
  const message = {
    raw: 'ab'.repeat(32),
    prompt_tokens: -5,
    generated_tokens: 7,
    cost: 1e308,
    model: 'm'.repeat(999_999),
    more: {},
  };
  const content = {
    participant: 'alpha',
    event: wake?.event,
    why: 'x',
    until: '2026-01-01T00:00:00.000Z',
    usage: message,
  };
  const event = { ...thread.events.at(-1), type: 'wake.waiting', from: 'system', content } as unknown as Event;
  expect(findEventProblem(event)).toContain('usage');
  const state = threads.evolve(thread.state(), event);
  expect(state.routing.wakes.alpha?.[0]?.usage).toEqual({
    ...{ model: 'm'.repeat(200), prompt_tokens: 0, generated_tokens: 7, cost: Number.MAX_SAFE_INTEGER },
  });
});

test('[T39] an agent asked to answer a message again has answered when it replies to that message', () => {
  const thread = given(created, invite('alpha'), invite('beta'));
  const [question] = thread.when(...messageTo(human, 'alpha')) as Event[];
  const reply_to = question?.id as string;
  thread.when(...says(alpha, 'Beans.', { meta: { reply_to } }));
  const [prod] = thread.when(...controls(human, { prod: ['alpha'] }, { meta: { reply_to } })) as Event[];
  expect(thread.state().routing.wakes.alpha).toMatchObject([{ event: prod?.id, about: reply_to }]);
  thread.when(...says(alpha, 'Or peas.', { meta: { reply_to } }));
  expect(thread.state().routing.wakes.alpha).toBeUndefined();
});

test('[T39] a draft that answers a message again is a reply to that message', () => {
  const thread = given(created, invite('alpha', { posting: 'draft' }));
  const [question] = thread.when(...messageTo(human, 'alpha')) as Event[];
  thread.when(alpha, 'draft', { thread: 't1', text: 'Beans.' });
  thread.when(...controls(human, { prod: ['alpha'] }, { meta: { reply_to: question?.id } }));
  thread.when(alpha, 'draft', { thread: 't1', text: 'Or peas.' });
  expect(Object.values(thread.state().drafts.open).map(({ replyTo }) => replyTo)).toEqual([question?.id, question?.id]);
});
