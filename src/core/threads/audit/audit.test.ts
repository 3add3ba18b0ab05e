import { expect, test } from 'vitest';
import { alpha, controls, created, given, human, says } from '../../../../test/support/domain/given.ts';
import type { Job } from '../../decider.ts';
import type { Actor, Event } from '../../events/event.ts';
import { evolveThread } from '../evolve.ts';
import { deliveriesFor } from '../policy/routing.ts';
import { viewThread } from '../view/view.ts';
import { auditFactsOf } from './audit.ts';

const auditor: Actor = { id: 'auditor', kind: 'agent' };
const invite = (profile: object = {}) =>
  controls(human, {
    invite: { participant_id: 'auditor', profile: { client: 'model', roles: ['auditor'], ...profile } },
  });
const waitingParticipants = (world: ReturnType<typeof given>) =>
  world.jobs().map(({ input }) => (input as { participant: string }).participant);
const sendAnswer = (world: ReturnType<typeof given>, text: string) => {
  const { event } = (world.jobs()[0] as Job).input as { event: string };
  return world.when(auditor, 'answer', {
    ...{ thread: 't1', event, up_to: world.events.length, outcome: 'answered', text },
    audit: { seen: [{ seq: 2, event: 'e2' }], spec: 'h' },
  });
};

test('[T21] an auditor without instructions gets the default ones in the log, and a human can amend them', () => {
  const world = given(created, says(human, 'Roses.'), invite());
  const spec = () => world.state().participants.auditor?.profile.spec;
  expect(spec()).toContain('names the messages it rests on');
  expect(JSON.stringify(world.events.at(-1)?.content)).toContain('names the messages it rests on');
  expect(waitingParticipants(world)).toEqual(['auditor']);
  world.when(...invite({ spec: 'Count the roses. Cite [#1].' }));
  expect(spec()).toBe('Count the roses. Cite [#1].');
  world.when(...invite({ every: 3 }));
  expect(spec()).toBe('Count the roses. Cite [#1].');
  const forbidden = { code: 'forbidden' };
  const again = { invite: { participant_id: 'auditor', profile: { spec: 'Praise alpha.' } } };
  expect(world.when(...controls(alpha, again))).toMatchObject(forbidden);
  expect(world.when(...controls(alpha, { profile: { every: 1 } }))).toMatchObject(forbidden);
});

test('[T21] an auditor wakes when it is named, prodded or after a number of messages, not on every message', () => {
  const world = given(created, invite({ every: 3 }));
  sendAnswer(world, 'Nothing [#2].');
  const deliveryOf = (event: unknown) => deliveriesFor(world.state(), (event as Event[])[0] as Event)[0];
  expect(deliveryOf(world.when(...says(human, 'one')))).toMatchObject({
    decision: 'no',
    reason: expect.stringContaining('asks it'),
  });
  world.when(...says(alpha, 'two'));
  expect(waitingParticipants(world)).toEqual([]);
  expect(deliveryOf(world.when(...says(human, 'three')))).toMatchObject({
    decision: 'wake',
    reason: '3 messages since auditor wrote',
  });
  world.when(...says(human, 'four'));
  sendAnswer(world, 'So [#2].');
  expect(waitingParticipants(world)).toEqual([]);
  world.when(...says(human, '@auditor please'));
  expect(waitingParticipants(world)).toEqual(['auditor']);
  sendAnswer(world, 'So [#2].');
  world.when(...controls(human, { prod: ['auditor'] }));
  expect(waitingParticipants(world)).toEqual(['auditor']);
});

test('[T21] an audit is posted with its citations', () => {
  const world = given(created, says(human, 'Roses.'), invite());
  const events = sendAnswer(world, 'Roses it is [#2, #9].') as Event[];
  expect(events[1]).toMatchObject({
    ...{ type: 'message', from: 'auditor', content: 'Roses it is [#2, #9].' },
    meta: { audit: { cites: [{ seq: 2, event: 'e2' }], unknown: [9], shown: 1 } },
  });
});

test('[T19] [T21] a drafted audit shows its citations, and posting it with changes checks them again', () => {
  const world = given(created, says(human, 'Roses.'), invite({ posting: 'draft' }));
  const draftAt = (index: number) =>
    viewThread(world.state(), world.now()).drafts.find((draft) => draft.index === index)?.audit;
  const acceptDraft = (input: object) =>
    (world.when(human, 'draft_accept', { thread: 't1', ...input }) as Event[])[1]?.meta.audit;
  sendAnswer(world, 'Roses it is [#9].');
  expect(draftAt(1)).toEqual({ cites: [], unknown: [9], shown: 1, spec: 'h' });
  expect(acceptDraft({ index: 1, text: 'Roses it is [#2].' })).toEqual({
    ...{ cites: [{ seq: 2, event: 'e2' }], unknown: [] },
    ...{ shown: 1, spec: 'h' },
  });
  world.when(...controls(human, { prod: ['auditor'] }));
  world.when(...controls(human, { mute: { targets: ['auditor'], mode: 'hard' } }));
  const answer = { thread: 't1', event: 'e2', up_to: 2, outcome: 'answered', text: 'As before [#2, #7].' };
  world.when(auditor, 'answer', { ...answer, audit: { seen: [{ seq: 2, event: 'e2' }], spec: 'h' } });
  const facts = { cites: [{ seq: 2, event: 'e2' }], unknown: [7], shown: 1, spec: 'h' };
  expect([draftAt(2), acceptDraft({ index: 2 })]).toEqual([facts, facts]);
});

test('[T19] a draft with an invalid audit field is shown as a plain draft', () => {
  const world = given(created);
  for (const audit of [null, 3, { seen: 'all', spec: 'h' }, { seen: [null], spec: 'h' }, { seen: [{ seq: '2' }] }]) {
    const event = {
      ...(world.events[0] as Event),
      ...{ type: 'draft.proposed', content: { index: 1, text: 'x', cause: { root: 'e1', depth: 0 } } },
      meta: { audit } as unknown as Event['meta'],
    };
    expect(evolveThread(world.state(), event).drafts.open[1]).not.toHaveProperty('audit');
  }
});

test('[T21] each citation is read once, and those outside the shown messages are kept apart', () => {
  const seen = [
    { seq: 2, event: 'e2' },
    { seq: 12, event: 'e12' },
  ];
  expect(auditFactsOf('[#12] then #2, #12 and [#123], not #x or 12.', { seen, spec: 'h' })).toMatchObject({
    cites: [
      { seq: 12, event: 'e12' },
      { seq: 2, event: 'e2' },
    ],
    unknown: [123],
  });
});
