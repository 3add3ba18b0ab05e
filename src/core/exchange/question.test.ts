import { describe, expect, test } from 'vitest';
import { exchangeWith } from '../../../test/support/domain/exchange.ts';
import { human } from '../../../test/support/domain/given.ts';
import type { Event } from '../events/event.ts';
import { ThreadCreated, ThreadRenamed } from '../threads/events.ts';
import { TermsSet } from './events.ts';
import { evolveExchange } from './evolve.ts';
import { buildAuditInput, buildMindInput } from './rounds/inputs.ts';
import { currentTerms, initialExchange } from './state.ts';
import { DEFAULT_TERMS } from './terms/defaults.ts';
import { termsText } from './terms/terms-text.ts';

const questionShown = (pool: ReturnType<typeof exchangeWith>) => buildMindInput(pool.state(), 0, 1).question;
const setIn = (outcome: ReturnType<ReturnType<typeof exchangeWith>['when']>) => (outcome as Event[])[0]?.content;

describe('the question', () => {
  test('[X15] the title is the question unless I give one, and renaming the thread does not change it', () => {
    const pool = exchangeWith();
    expect(questionShown(pool)).toBe('Pool');
    pool.when(human, 'post', { type: 'control', content: { rename: { title: 'Another name' } } });
    expect(pool.events.at(-1)).toMatchObject({ type: 'thread.renamed' });
    expect(questionShown(pool)).toBe('Pool');
    expect(buildAuditInput(pool.state()).question).toBe('Pool');
  });

  test('[X15] a question is kept in full and can be amended like any other term', () => {
    const question = `What is a good garden?\n\n${'Think of the soil. '.repeat(40)}`;
    const pool = exchangeWith({ question });
    expect(questionShown(pool)).toBe(question);
    pool.when(human, 'run', { rounds: 3 });
    pool.round();
    pool.when(human, 'amend', { set: { question: 'And in winter?' }, reason: 'It is cold.' });
    pool.round();
    const input = buildMindInput(pool.state(), 0, 1);
    expect(input.question).toBe(question);
    expect(input.terms.at(-1)).toMatchObject({ id: 'announced_2', from: 4 });
    expect(input.terms.at(-1)?.text).toContain('question:\nAnd in winter?');
    pool.round();
    expect(questionShown(pool)).toBe('And in winter?');
  });

  test('[X15] an exchange from an earlier version uses its original title as the question', () => {
    const { question: _, ...before } = DEFAULT_TERMS;
    const facts = { from: 'ana', to: 'all', meta: {}, v: 1, hash: '', ts: '2026-01-01T00:00:00.000Z' };
    const hashes = { auditor_spec: 'a', mind_prompt: 'b', observer_role: 'c', terms: 'd' };
    const log = [
      ThreadCreated.of('t', { title: 'What is a good garden?', kind: 'exchange' }),
      TermsSet.of('t', { version: 1, set: before, hashes, announced: 1, effective: 1 }),
      ThreadRenamed.of('t', { title: 'Garden' }),
      TermsSet.of('t', { version: 2, set: { audit_every: 3 }, hashes, announced: 1, effective: 2 }),
    ];
    const state = log
      .map((event, i): Event => ({ ...event, ...facts, id: `e${i}`, seq: i + 1 }))
      .reduce(evolveExchange, initialExchange());
    expect(currentTerms(state).terms.question).toBe('What is a good garden?');
    // Its hash was noted without a question, and still holds.
    expect(termsText(currentTerms(state).terms)).not.toContain('question');
  });

  test('[X15] a branch keeps the question of its parent unless I give it another', () => {
    const pool = exchangeWith({ question: 'Why?' });
    const events = pool.when(human, 'branch', { title: 'Other', set: { question: 'How?' } }) as Event[];
    pool.go(events[0]?.thread as string);
    expect(questionShown(pool)).toBe('How?');
    pool.go('t1');
    const plain = pool.when(human, 'branch', { title: 'Other' }) as Event[];
    pool.go(plain[0]?.thread as string);
    expect(questionShown(pool)).toBe('Why?');
  });
});

describe('before round 1', () => {
  const two = [
    { id: 'gardener', model: 'chat' },
    { id: 'sceptic', model: 'small' },
  ];

  test('[X21] I can set every term when I create an exchange', () => {
    const setup = { question: 'Why?', minds: two, auditor_model: 'wise', audit_every: 4, policy: 'alert' };
    const pool = exchangeWith({ ...setup, auditor_spec: 'One haiku.' });
    expect(currentTerms(pool.state()).terms).toMatchObject({ ...setup, auditor_spec: 'One haiku.' });
  });

  test('[X21] terms amended before round 1 apply from round 1, without an announcement', () => {
    const pool = exchangeWith();
    expect(setIn(pool.when(human, 'amend', { set: { minds: two } }))).toMatchObject({ announced: 1, effective: 1 });
    pool.when(human, 'amend', { set: { auditor_spec: 'One haiku.' } });
    pool.when(human, 'run', { rounds: 1 });
    const input = buildMindInput(pool.state(), 0, 1);
    expect(input.meta).toMatchObject({ self: 'gardener', minds: ['gardener', 'sceptic'] });
    expect(input.terms.map(({ id }) => id)).toEqual(['auditor_spec', 'mind_prompt', 'observer_role', 'terms']);
    expect(input.terms[0]?.text).toBe('One haiku.');
    // Once a round is under way it is announced first.
    expect(setIn(pool.when(human, 'amend', { set: { audit_every: 3 } }))).toMatchObject({ announced: 2, effective: 3 });
  });

  test('[X21] rolling back to the beginning keeps what was amended before round 1', () => {
    const pool = exchangeWith();
    pool.when(human, 'amend', { set: { minds: two } });
    pool.when(human, 'run', { rounds: 1 });
    pool.round();
    pool.when(human, 'amend', { set: { audit_every: 3 } });
    const events = pool.when(human, 'rollback', { round: 0, set: { policy: 'alert' } }) as Event[];
    pool.go(events[0]?.thread as string);
    expect(currentTerms(pool.state()).terms).toMatchObject({ minds: two, audit_every: 20, policy: 'alert' });
  });
});
