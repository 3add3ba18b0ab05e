import { afterEach, beforeEach, expect, test } from 'vitest';
import { alpha, human } from '../../../test/support/domain/given.ts';
import { type FakeModels, startFakeModels } from '../../../test/support/models/fake-models.ts';
import {
  hasClosedWakes,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents } from '../../../test/support/servers/engine-access.ts';
import type { Job } from '../../core/decider.ts';
import type { Event } from '../../core/events/event.ts';
import { type Command, type State, workspace } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { createCredentials } from '../../server/auth/credentials.ts';
import type { Engine } from '../engine.ts';
import type { JobContext } from '../jobs.ts';

/** Models over a real socket, which remember what they were asked. */
let fake: FakeModels;
let log: EventLog;
let server: Awaited<ReturnType<typeof openAgentServer>>;
beforeEach(async () => {
  fake = await startFakeModels();
  fake.answer(() => ({ text: 'Yes.' }));
  log = openMemoryLog();
  const paid = { provider: 'openai-chat' as const, model: 'paid', base_url: fake.openAiUrl, context: 8192 };
  // What holds without a limit on threads must hold (T16); T23 has its own tests.
  server = await openAgentServer({ models: { paid }, log, agentLimits: { threadsPerHour: 1000 } });
});
afterEach(async () => {
  await server.close();
  await fake.close();
});

const PAID = { client: 'model', model: 'paid' };
const issueHumanToken = (engine: Engine, id: string) =>
  createCredentials({ log, clock: engine.clock }).issue(id, 'human');
const isReport = ({ type }: Event) => type === 'wake.closed';
const stateOf = async (engine: Engine, thread: string) => (await engine.state(thread))?.state as State;

test('[T22] an agent cannot make the server speak as the human, or as another agent', async () => {
  const { engine } = server;
  await issueHumanToken(engine, 'ana');
  const thread = await threadWith(engine, ['alpha', {}], ['beta', {}], ['paid', PAID]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  for (const id of ['ana', 'beta', 'gamma']) {
    const content = { invite: { participant_id: id, profile: { kind: 'agent', ...PAID } } };
    const command = { name: 'post', input: { thread, type: 'control', content } } as Command;
    expect(await engine.handle(alpha, command)).toMatchObject({ refusal: { code: 'forbidden' } });
    await engine.handle(alpha, say(thread, 'say yes', { to: id }));
  }
  await engine.handle(alpha, say(thread, 'say yes', { to: 'paid' }));
  const events = await waitForEvents(engine, thread, hasClosedWakes(2));
  // The workspace reports under its own id what came of a wake, and says nothing else (T12).
  const [reports, said] = [events.filter(isReport), events.filter((event) => !isReport(event))];
  expect(new Set(reports.map(({ from, meta }) => `${from} ${meta.by}`))).toEqual(new Set(['system automation']));
  expect(new Set(said.map(({ from, meta }) => `${from} ${meta.by}`))).toEqual(
    new Set(['ana human', 'alpha agent', 'paid agent']),
  );
  expect(fake.requests).toHaveLength(2);
});

test('[T22] the server never runs an id that has a human credential, whatever an older log says', async () => {
  const { engine } = server;
  // Written when nobody was ben yet.
  const thread = await threadWith(engine, ['ben', PAID], ['paid', PAID]);
  const dialogue = { title: 'Talk', kind: 'dialogue', setup: { self: 'ben', model: 'paid' }, invite: [] };
  const talk = await engine.handle(human, { name: 'create', input: dialogue } as Command);
  const other = 'events' in talk ? (talk.events[0]?.thread as string) : '';
  await engine.handle(human, { name: 'message', input: { thread: other, text: 'Hi', run: { iterations: 1 } } });
  const jobs = [...workspace.jobs(await stateOf(engine, thread)), ...workspace.jobs(await stateOf(engine, other))];
  expect(jobs.map(({ kind }) => kind)).toEqual(['agent.answer', 'agent.answer', 'mind.iterate']);

  await issueHumanToken(engine, 'ben');
  expect(engine.presencesOf(await stateOf(engine, thread)).map(({ participant }) => participant)).toEqual(['paid']);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  const all = [...(await readEvents(engine, thread)), ...(await readEvents(engine, other))];
  expect(all.filter(({ from }) => from === 'ben')).toEqual([]);
  expect(fake.requests).toHaveLength(1);
});

test('[T22] whether an id is a person is checked right before a model or program starts', async () => {
  const { createPerformers: createWork } = await import('../performers.ts');
  const { openEmbedder } = await import('../../models/builtin/embedder/embedder.ts');
  const { engine, models } = server;
  const thread = await threadWith(engine, ['ben', PAID]);
  const [job] = workspace.jobs(await stateOf(engine, thread)) as [Job];
  const { performers, accepts } = createWork(log, models, openEmbedder());
  expect(accepts(job, await stateOf(engine, thread))).toBe(true);
  // Another server let ben in, and this one has not heard of it.
  const value = JSON.stringify({ id: 'c', participant: 'ben', kind: 'human', created: '', use: 'token' });
  await log.putRecords([{ kind: 'credential', key: 'k', value }]);
  const work = {
    thread,
    signal: new AbortController().signal,
    state: () => stateOf(engine, thread),
    setPresence: async () => {},
    isUnwanted: () => false,
    handle: (actor, command, id) => engine.handle(actor, command, id),
  } as Partial<JobContext<State, Command>> as JobContext<State, Command>;
  await performers['agent.answer']?.(job, work);
  expect(fake.requests).toEqual([]);
  expect((await log.readThread(thread, 0, 100)).map(eventOf).every(({ from }) => from === 'ana')).toBe(true);
  expect(accepts(job, await stateOf(engine, thread))).toBe(false);
});

test('[T16] forty threads that an agent creates cost nothing until a human takes part', async () => {
  const { engine } = server;
  await threadWith(engine, ['paid', PAID], ['alpha', {}]);
  engine.startWork();
  let last = '';
  for (let i = 0; i < 40; i++) {
    const invite = [{ participant_id: 'paid', profile: {} }];
    const created = await engine.handle(alpha, {
      name: 'create',
      input: { title: `${i}`, kind: 'conversation', invite },
    });
    last = 'events' in created ? (created.events[0]?.thread as string) : '';
    await engine.handle(alpha, say(last, 'please answer this', { to: 'paid' }));
  }
  const before = fake.requests.length;
  const content = { invite: { participant_id: 'paid', profile: { kind: 'agent', ...PAID } } };
  await engine.handle(human, { name: 'post', input: { thread: last, type: 'control', content } } as Command);
  await engine.handle(human, say(last, 'Go on.', { to: 'paid' }));
  await waitForEvents(engine, last, hasClosedWakes(1));
  expect(before).toBeLessThanOrEqual(1);
  expect(fake.requests.length).toBeLessThanOrEqual(2);
});

test('[T16] [M7] usage in a thread that an agent created counts against the original thread’s budget and stops with it', async () => {
  const { engine, models } = server;
  const thread = await threadWith(engine, ['paid', PAID], ['alpha', {}]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  await engine.handle(human, say(thread, 'Look into it.', { to: 'alpha' }));
  const used = await models.usage.of('thread', thread);
  const tokens = used.promptTokens + used.generatedTokens + 1;
  const budget = { thread, type: 'control', content: { budget: { tokens } } };
  await engine.handle(human, { name: 'post', input: budget } as Command);
  const [first] = await readEvents(engine, thread);
  const origin = { thread, link: `/threads/${thread}`, what: 'message', event: first?.id, hash: first?.hash };
  const invite = [{ participant_id: 'paid', profile: {} }];
  const input = { title: 'New', kind: 'conversation', invite, origin };
  const created = await engine.handle(alpha, { name: 'create', input } as Command);
  const other = 'events' in created ? (created.events[0]?.thread as string) : '';

  // It has no budget of its own, but what was used where it came from counts.
  const [outcome] = wakeOutcomes(await waitForEvents(engine, other, hasClosedWakes(1)));
  expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('budget') });
  expect(await models.usage.of('thread', thread)).toEqual(used);

  // Once a human takes part it is a thread like any other, with a budget of its own.
  await engine.handle(human, {
    name: 'post',
    input: { ...budget, thread: other, content: { budget: { tokens: 1_000_000 } } },
  } as Command);
  await engine.handle(human, say(other, 'Go on.', { to: 'paid' }));
  const events = await waitForEvents(engine, other, hasClosedWakes(2));
  expect(wakeOutcomes(events).at(-1)).toMatchObject({ outcome: 'answered' });
});

test('[T16] [M7] an agent’s side channel is paid by the thread where it was opened', async () => {
  const { engine, models } = server;
  const thread = await threadWith(engine, ['paid', PAID], ['alpha', {}]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  await engine.handle(human, say(thread, 'Look into it.', { to: 'alpha' }));
  const before = await models.usage.of('thread', thread);
  const input = { thread, question: 'Which?', members: ['paid'] };
  const opened = await engine.handle(alpha, { name: 'side_open', input } as Command);
  const side = 'events' in opened ? (opened.events[0]?.thread as string) : '';
  await waitForEvents(engine, side, hasClosedWakes(1));
  const [there, here] = [await models.usage.of('thread', side), await models.usage.of('thread', thread)];
  expect(there.calls).toBe(1);
  expect(here.promptTokens).toBe(before.promptTokens + there.promptTokens);
});
