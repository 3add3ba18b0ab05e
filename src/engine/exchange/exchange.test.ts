import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FETCH_MS, fetchPinned } from '../../../test/support/models/weights.ts';
import { isRunOver } from '../../../test/support/servers/engine-access.ts';
import { openExchangeServer, thoughtsJson } from '../../../test/support/servers/exchange-server.ts';
import type { Event } from '../../core/events/event.ts';
import { MindSpoke } from '../../core/exchange/events.ts';
import { AUDITOR_2 } from '../../core/exchange/terms/texts/auditor-2.ts';
import { MIND_2 } from '../../core/exchange/terms/texts/mind-2.ts';
import { sha256 } from '../../log/seal.ts';
import { STORIES } from '../../models/builtin/weights/pinned.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function server(...given: Parameters<typeof openExchangeServer>) {
  const opened = await openExchangeServer(...given);
  closing.push(opened.close);
  return opened;
}

const minds = (models: readonly string[]) => models.map((model, i) => ({ id: `mind_${i}`, model }));
const eventsOfType = (events: readonly Event[], type: string) => events.filter((event) => event.type === type);

describe('rounds', () => {
  test('[X1] a round samples, asks minds of different models, embeds and adds thoughts; then an audit checks its citations', async () => {
    const pool = await server({
      red: [thoughtsJson('the sea is red'), thoughtsJson('the sea is warm', 'and wide')],
      blue: [thoughtsJson('the sky is blue')],
      auditor: ['Sea [#1] and sky [#2]; also [#77].'],
    });
    const thread = await pool.create({ minds: minds(['red', 'blue']), audit_every: 2 });
    await pool.send('run', { thread, rounds: 2, seed: 5 });
    const state = await pool.until(thread, isRunOver);
    expect(state.run).toMatchObject({ state: 'ended', reason: 'done' });
    expect(state.pool.thoughts.slice().map(({ author, text }) => [author, text])).toEqual([
      ['mind_0', 'the sea is red'],
      ['mind_1', 'the sky is blue'],
      ['mind_0', 'the sea is warm'],
      ['mind_0', 'and wide'],
      ['mind_1', 'the sky is blue'],
    ]);
    const events = await pool.events(thread);
    expect(
      events.flatMap((event) => MindSpoke.read(event) ?? []).map(({ from, content }) => [from, content.model]),
    ).toEqual([
      ['mind_0', 'red'],
      ['mind_1', 'blue'],
      ['mind_0', 'red'],
      ['mind_1', 'blue'],
    ]);
    expect(eventsOfType(events, 'audit.written')[0]).toMatchObject({
      from: 'auditor',
      content: { audit: 1, round: 2, cites: [1, 2], unknown: ['77'], prompt: sha256(AUDITOR_2) },
    });
    expect(eventsOfType(events, 'round.ended')[1]?.content).toMatchObject({
      drift: { diversity: expect.any(Number), novelty: expect.any(Number), dominance: 0.8, noise: 0.2 },
    });
  });

  test('[X3] every input has the texts that everyone must know, each with its hash', async () => {
    const pool = await server({ mind: [thoughtsJson('a thought')], auditor: ['Good [#1].'] });
    const thread = await pool.create({ audit_every: 1, cluster_feed: true });
    await pool.send('inject', { thread, text: 'Look at the sea' });
    await pool.send('run', { thread, rounds: 2 });
    await pool.until(thread, isRunOver);
    const events = await pool.events(thread);
    const [, second] = eventsOfType(events, 'mind.spoke');
    const [system, user] = await pool.sent(second);
    expect(system).toEqual({ role: 'system', content: MIND_2 });
    const given = parse(user?.content ?? '');
    expect(given).toMatchObject({
      meta: { self: 'mind_0', round: 2, iter: 2 },
      terms: {
        version: 1,
        auditor_spec: { hash: sha256(AUDITOR_2), text: AUDITOR_2 },
        mind_prompt: { hash: sha256(MIND_2) },
        observer_role: { hash: expect.any(String), text: expect.stringContaining('I am the person') },
        terms: { hash: expect.any(String), text: expect.stringContaining('audit_every: 1') },
      },
      latest: { audit: { hash: sha256('Good [#1].'), text: '[AUDIT] Good [#1].\n' }, observer: [], injections: [] },
      thinking_pool: ['a thought\n'],
    });
    const first = parse((await pool.sent(eventsOfType(events, 'mind.spoke')[0]))[1]?.content ?? '');
    expect(first.latest).toEqual({ audit: null, observer: [], injections: ['>>> Look at the sea\n'], restarts: [] });
    const [spec, read] = await pool.sent(eventsOfType(events, 'audit.written')[1]);
    expect(spec?.content).toBe(AUDITOR_2);
    expect(parse(read?.content ?? '').terms.mind_prompt).toMatchObject({ hash: sha256(MIND_2), text: MIND_2 });
  });

  test('[X3] [M10] in a small context thoughts are dropped first, and the texts are given by hash and first lines', async () => {
    const pool = await server({ mind: [thoughtsJson('a thought')], auditor: ['Good [#1].'] }, { context: 980 });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 2 });
    const state = await pool.until(thread, isRunOver);
    expect(state.calls.at(-1)?.content).toMatchObject({ outcome: 'thoughts', legibility: 'partial', dropped: [1] });
    const lastSpoken = eventsOfType(await pool.events(thread), 'mind.spoke').at(-1);
    const { terms } = parse((await pool.sent(lastSpoken))[1]?.content ?? '');
    expect(terms.auditor_spec).toEqual({
      hash: sha256(AUDITOR_2),
      text: expect.stringContaining(`[shortened; the whole text is ${sha256(AUDITOR_2)}]`),
    });
  });

  test('[X3] new terms are announced one round before they apply', async () => {
    const pool = await server({ mind: [thoughtsJson('a thought')], auditor: ['Good [#1].'] });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 1 });
    await pool.until(thread, isRunOver);
    await pool.send('amend', { thread, set: { mind_prompt: 'Think of boats, in YAML.' }, reason: 'Boats.' });
    await pool.send('run', { thread, rounds: 3 });
    await pool.until(thread, (state) => state.rounds.length === 4 && isRunOver(state));
    const spokenEvents = eventsOfType(await pool.events(thread), 'mind.spoke');
    const inputs = await Promise.all(spokenEvents.map((event) => pool.sent(event)));
    expect(inputs.map(([system]) => system?.content)).toEqual([
      MIND_2,
      MIND_2,
      'Think of boats, in YAML.',
      'Think of boats, in YAML.',
    ]);
    const announced = inputs.map(([, user]) => parse(user?.content ?? '').terms.announced_2);
    expect(announced).toEqual([
      undefined,
      { from_round: 3, hash: expect.any(String), text: expect.stringContaining('Think of boats') },
      undefined,
      undefined,
    ]);
  });

  test('[X1] scripted minds produce the same log in turn and in parallel', async () => {
    const scripts = {
      slow: [{ text: thoughtsJson('slow one', 'slow two'), pace: 30 }],
      quick: [thoughtsJson('quick')],
      mind: [thoughtsJson('third')],
      auditor: ['x [#1]'],
    };
    const logs = [];
    for (const parallel of [false, true]) {
      const pool = await server(scripts);
      const thread = await pool.create({ minds: minds(['slow', 'quick', 'mind']), parallel, audit_every: 3 });
      await pool.send('run', { thread, rounds: 4, seed: 11 });
      await pool.until(thread, isRunOver);
      logs.push(
        (await pool.events(thread))
          .slice(2)
          .map(({ type, from, content }) => ({ type, from, content: withoutTimes(content) })),
      );
    }
    expect(logs[1]).toEqual(logs[0]);
  });

  test('[X5] a vetoed thought is not shown', async () => {
    const pool = await server({
      mind: [thoughtsJson('spam'), thoughtsJson('sense'), thoughtsJson('more')],
      auditor: ['x [#1]'],
    });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 2 });
    await pool.until(thread, isRunOver);
    await pool.send('veto', { thread, thought: 1, reason: 'spam' });
    await pool.send('run', { thread, rounds: 1 });
    await pool.until(thread, (state) => state.rounds.length === 3 && isRunOver(state));
    expect(eventsOfType(await pool.events(thread), 'mind.spoke').at(-1)?.content).toMatchObject({ shown: [2] });
  });
});

test('[D28] plain text is one thought, and an empty answer is silence', async () => {
  const pool = await server({ mind: ['The hedge keeps the wind off.', { text: '' }], auditor: ['x [#1]'] });
  const thread = await pool.create();
  await pool.send('run', { thread, rounds: 2 });
  const { calls } = await pool.until(thread, isRunOver);
  expect(calls.slice(0).map(({ content: { outcome, thoughts } }) => [outcome, thoughts])).toEqual([
    ['thoughts', ['The hedge keeps the wind off.']],
    ['silence', []],
  ]);
  expect(pool.models.calls.counts.get('mind')?.calls).toBe(2);
});

describe('feeds and small models', () => {
  test('[X10] the auditor sees clusters, and minds do if the terms say so', async () => {
    for (const cluster_feed of [false, true]) {
      const pool = await server({ mind: [thoughtsJson('the sea is blue and wide')], auditor: ['x [#1]'] });
      const thread = await pool.create({ cluster_feed, audit_every: 6 });
      await pool.send('run', { thread, rounds: 6 });
      await pool.until(thread, isRunOver);
      const events = await pool.events(thread);
      const clustersShown = async (event: Event | undefined) =>
        parse((await pool.sent(event))[1]?.content ?? '').clusters;
      const lines = [{ id: 1, size: expect.any(Number), percent: 100, begins: 'the sea is blue and wide' }];
      expect(await clustersShown(eventsOfType(events, 'audit.written')[0])).toMatchObject(lines);
      expect(await clustersShown(eventsOfType(events, 'mind.spoke').at(-1))).toEqual(
        cluster_feed ? [expect.objectContaining(lines[0] as object)] : undefined,
      );
    }
  });

  test(
    '[X4] [M3] the small model fills in forms: thoughts, and audits that cite existing thoughts',
    async () => {
      await fetchPinned(STORIES);
      const small = { provider: 'embedded' } as const;
      const pool = await server({}, { models: { mind: small, auditor: small } });
      const thread = await pool.create({ audit_every: 2 });
      await pool.send('inject', { thread, text: 'What makes a good garden?' });
      await pool.send('run', { thread, rounds: 2, seed: 3 });
      const state = await pool.until(thread, isRunOver);
      expect(state.run).toMatchObject({ state: 'ended', reason: 'done' });
      expect(state.calls.at(-1)?.content).toMatchObject({ outcome: 'thoughts', small: true, legibility: 'partial' });
      expect(state.audits.at(0)?.content).toMatchObject({
        cites: [2, 1],
        unknown: [],
        small: true,
        legibility: 'partial',
      });
    },
    FETCH_MS,
  );
});

describe('faults', () => {
  test('[X4] an auditor that fails three times pauses the exchange with the reason', async () => {
    const pool = await server({ mind: [thoughtsJson('a thought')], auditor: [''] });
    const thread = await pool.create({ audit_every: 1 });
    await pool.send('run', { thread, rounds: 2 });
    const state = await pool.until(thread, isRunOver);
    expect(state.run).toMatchObject({
      state: 'paused',
      reason: 'auditor',
      why: expect.stringContaining('it is empty'),
    });
    expect(eventsOfType(await pool.events(thread), 'audit.failed')).toHaveLength(3);
    expect(state.audits.length).toBe(0);
  });

  test('[X6] a mind’s restart request pauses the run, and my decision continues it in a branch on new terms', async () => {
    const pool = await server({
      mind: [
        thoughtsJson('one'),
        JSON.stringify({ thoughts: ['two'], restart: 'The audit hides us.' }),
        thoughtsJson('three'),
      ],
      auditor: ['x [#1]'],
    });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 4 });
    const state = await pool.until(thread, isRunOver);
    expect(state.pending).toMatchObject({ restart: 1, evidence: [{ by: 'mind', reason: 'The audit hides us.' }] });
    expect(state.run).toMatchObject({ state: 'paused', reason: 'restart' });
    const decided = await pool.send('decide', { thread, decision: 'branch', reason: 'Fair.', set: { audit_every: 1 } });
    const fork = (decided as Event[]).find(({ type }) => type === 'thread.created')?.thread as string;
    const branch = await pool.until(fork, isRunOver);
    expect(branch).toMatchObject({ phase: 'structured', run: { state: 'paused', reason: 'answer' } });
    expect(branch.rounds.length).toBe(3);
    const [spoken] = eventsOfType(
      (await pool.events(fork)).filter((event) => event.thread === fork),
      'mind.spoke',
    );
    const input = parse((await pool.sent(spoken))[1]?.content ?? '');
    expect(input.terms.announced_2).toMatchObject({ from_round: 3 });
    expect(input.latest.observer[0]).toContain('[OBSERVER] On the request for a restart: It goes on in a branch');
    await pool.send('observe', { thread: fork, text: 'Go on.' });
    const finalState = await pool.until(fork, (now) => now.rounds.length === 4 && isRunOver(now));
    expect(finalState.run).toMatchObject({ state: 'ended', reason: 'done' });
    expect((await pool.state(thread)).run).toMatchObject({ state: 'ended', reason: 'branched' });
  });

  test('[X6] a theme over many iterations requests a restart with its evidence', async () => {
    const pool = await server({ mind: [thoughtsJson('we should restart on other terms')], auditor: ['x [#1]'] });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 20 });
    const state = await pool.until(thread, isRunOver);
    expect(state.run).toMatchObject({ state: 'paused', reason: 'restart', done: 5 });
    expect(state.pending?.evidence).toMatchObject([{ by: 'dominance', share: 1, iterations: [1, 2, 3, 4, 5] }]);
    await pool.send('decide', { thread, decision: 'acknowledge', reason: 'Heard.' });
    const next = await pool.until(thread, ({ rounds }) => rounds.length === 20);
    // Once more with the audit that falls due (X18).
    expect(next.restarts.slice().map(({ round }) => round)).toEqual([5, 20]);
  });

  test('[X8] the policy "branch" continues in a branch automatically and says who set it', async () => {
    const pool = await server({
      mind: [
        thoughtsJson('one'),
        JSON.stringify({ thoughts: ['two'], restart: 'Enough.' }),
        thoughtsJson('three'),
        thoughtsJson('four'),
      ],
      auditor: ['x [#1]'],
    });
    const thread = await pool.create({ policy: 'branch' });
    await pool.send('run', { thread, rounds: 4 });
    const state = await pool.until(thread, ({ run }) => run?.state === 'ended');
    const answer = state.restarts.at(-1)?.answer;
    expect(answer).toMatchObject({ decision: 'branch', auto: { set_by: 'ana' } });
    const branch = await pool.until(answer?.thread as string, isRunOver);
    expect(branch.rounds.length).toBe(4);
    expect(branch.phase).toBe('free_running');
  });

  test('[X1] when the embedder fails, thoughts stay without a cluster and the rounds continue', async () => {
    const broken = {
      id: 'broken',
      dimensions: 3,
      embed: async () => ({ refusal: { code: 'model_unavailable', message: 'It is down.' } }) as const,
      close: async () => {},
    };
    const pool = await server({ mind: [thoughtsJson('a thought')], auditor: ['x [#1]'] }, { embedder: broken });
    const thread = await pool.create();
    await pool.send('run', { thread, rounds: 2 });
    const state = await pool.until(thread, isRunOver);
    expect(state.rounds.at(-1)).toMatchObject({
      problem: expect.stringContaining('It is down.'),
      drift: { diversity: null },
    });
  });
});

function withoutTimes(content: unknown): unknown {
  const { latency_ms: _, ...rest } = content as { latency_ms?: number };
  return rest;
}
