import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { type FakeModels, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sentBy, sentText } from '../../../test/support/models/sent.ts';
import {
  hasClosedWakes,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import type { Engine } from '../engine.ts';
import { summarise } from './summary.ts';

/*
 * What a model is sent in a thread, as it arrives at a server. The files in test/sent are to be read as the model reads
 * them: is everything there that it needs, in plain words, and nothing twice?
 */
let provider: FakeModels;
beforeAll(async () => {
  provider = await startFakeModels();
});
beforeEach(() => {
  (provider.requests as unknown[]).length = 0;
});
afterAll(() => provider.close());

const MUSE = {
  client: 'model',
  model: 'chat',
  nickname: 'Muse',
  roles: ['planner'],
  instructions: 'Plan in small steps.\nName the first one.',
};
const SCOUT = { roles: ['researcher', 'critic'], instructions: 'Finds sources and names them.\nNever guesses.' };

async function open() {
  provider.answer(() => ({ text: 'Start with the beans.' }));
  const models = {
    chat: { provider: 'openai-chat', base_url: provider.openAiUrl, model: 'gpt', context: 8192, tokenizer: 'estimate' },
    tight: { provider: 'openai-chat', base_url: provider.openAiUrl, model: 'gpt', context: 640, tokenizer: 'estimate' },
    claude: { provider: 'anthropic', base_url: provider.url, model: 'claude', context: 8192 },
  };
  const program =
    'let text = ""; for await (const part of process.stdin) text += part; console.log(JSON.parse(text).prompt)';
  const echo = { adapter: 'command', command: [process.execPath, '--input-type=module', '-e', program] } as const;
  const server = await openAgentServer({ models: models as never, clients: { echo } });
  onTestFinished(server.close);
  return server;
}

const control = (thread: string, content: object) =>
  ({ name: 'post', input: { thread, type: 'control', content } }) as Command;

async function handleOrThrow(
  engine: Engine,
  command: Command,
): Promise<readonly { readonly thread: string; readonly id: string }[]> {
  const handled = await engine.handle(human, command);
  if (isRefusal(handled)) throw new Error(handled.refusal.message);
  return handled.events.map(({ thread, id }) => ({ thread, id }));
}

/** A thread of Muse and Scout in which both have been heard, ready for the next word. */
async function conversation(engine: Engine, muse: object = MUSE) {
  const thread = await threadWith(engine, ['muse', muse], ['scout', SCOUT]);
  await handleOrThrow(engine, say(thread, 'What do we plant first?', { to: 'muse' }));
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  (provider.requests as unknown[]).length = 0;
  return thread;
}

const expectRequest = (name: string) =>
  expect(sentText(provider.requests[0])).toMatchFileSnapshot(`../../../test/sent/${name}.txt`);

test('[T24] [T25] a model invited into an empty thread reads who invited it, who it is and who is there', async () => {
  const { engine } = await open();
  const thread = await threadWith(engine, ['scout', SCOUT]);
  engine.startWork();
  await handleOrThrow(engine, control(thread, { invite: { participant_id: 'muse', profile: MUSE } }));
  await waitForEvents(engine, thread, hasClosedWakes(1));
  await expectRequest('thread-invited');
});

test.each(['chat', 'claude'])(
  '[T25] a model addressed in a conversation reads it to the end, over "%s"',
  async (model) => {
    const { engine } = await open();
    const thread = await conversation(engine, { ...MUSE, model });
    await handleOrThrow(engine, say(thread, '@muse, and then?'));
    await waitForEvents(engine, thread, hasClosedWakes(2));
    await expectRequest(`thread-addressed-${model}`);
  },
);

test('[T24] a model that was asked to reply reads that it was asked', async () => {
  const { engine } = await open();
  const thread = await conversation(engine);
  await handleOrThrow(engine, control(thread, { prod: ['muse'] }));
  await waitForEvents(engine, thread, hasClosedWakes(2));
  await expectRequest('thread-prodded');
});

const askAgain = (thread: string, reply_to: string): Command => ({
  name: 'post',
  input: { thread, type: 'control', content: { prod: ['muse'] }, meta: { reply_to } },
});

test('[T39] a model asked to answer a message again reads its newest text last, and that it answered it before', async () => {
  const { engine } = await open();
  const thread = await conversation(engine);
  const [question] = await handleOrThrow(engine, say(thread, 'And then?', { to: 'muse' }));
  await waitForEvents(engine, thread, hasClosedWakes(2));
  const { id: event } = question as { readonly id: string };
  const text = 'And then, in the shade?';
  await handleOrThrow(engine, { name: 'edit', input: { thread, event, author: 'ana', text } });
  (provider.requests as unknown[]).length = 0;
  const [prod] = await handleOrThrow(engine, askAgain(thread, event));
  const events = await waitForEvents(engine, thread, hasClosedWakes(3));
  await expectRequest('thread-asked-again');
  const replies = events.filter(({ type, from }) => type === 'message' && from === 'muse');
  expect(replies.slice(1).map(({ meta }) => meta.reply_to)).toEqual([event, event]);
  expect(wakeOutcomes(events).at(-1)).toMatchObject({ outcome: 'answered', event: prod?.id });
});

test('[T39] a message that an agent is asked to answer again is found however far back it is', async () => {
  const { engine } = await open();
  const thread = await threadWith(engine, ['muse', MUSE]);
  const [question] = await handleOrThrow(engine, say(thread, 'What do we plant first?', { to: 'muse' }));
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  for (let i = 0; i < 210; i++) await handleOrThrow(engine, say(thread, `Note ${i}`, { to: 'ben' }));
  (provider.requests as unknown[]).length = 0;
  await handleOrThrow(engine, askAgain(thread, question?.id as string));
  await waitForEvents(engine, thread, hasClosedWakes(2));
  expect(sentBy('user', provider)).toMatch(
    /\| What do we plant first\?\n\[end of what ana wrote\]\n\nana asks you to answer this\.$/,
  );
});

test('[T24] [T26] a model with a task reads the task last, and that its answer is the result', async () => {
  const { engine } = await open();
  const thread = await conversation(engine);
  const content = { text: 'List the beds.', role: 'planner' };
  await handleOrThrow(engine, { name: 'post', input: { thread, type: 'task', content } });
  await waitForEvents(engine, thread, hasClosedWakes(2));
  await expectRequest('thread-task');
});

const QUESTION =
  `Which of the beds has sun in the morning? ${'Look at the plan of the garden first. '.repeat(4)}`.trim();

test('[T24] a model in a side channel reads the whole question last', async () => {
  const { engine } = await open();
  const thread = await conversation(engine);
  const [{ thread: side } = { thread: '' }] = await handleOrThrow(engine, {
    name: 'side_open',
    input: { thread, question: QUESTION, members: ['muse', 'scout'], title: 'Sun' },
  });
  await waitForEvents(engine, side, hasClosedWakes(1));
  await expectRequest('thread-side-channel');
});

test('[T24] an auditor reads that it should write an audit', async () => {
  const { engine } = await open();
  provider.answer(() => ({ text: 'Beans were asked for [#4].' }));
  const thread = await conversation(engine);
  const auditor = { client: 'model', model: 'chat', roles: ['auditor'], spec: 'Say what was decided, with numbers.' };
  await handleOrThrow(engine, control(thread, { invite: { participant_id: 'auditor', profile: auditor } }));
  await waitForEvents(engine, thread, hasClosedWakes(2));
  await expectRequest('thread-auditor');
});

test('[T20] [T24] a model asked for a summary reads what was said since', async () => {
  const { engine, models } = await open();
  const thread = await conversation(engine);
  const { state, seq: head } = (await engine.state(thread)) as NonNullable<Awaited<ReturnType<Engine['state']>>>;
  const signal = new AbortController().signal;
  const auditor = { ...models.registry, defaultFor: () => 'chat' };
  await summarise(engine.log, { ...models, registry: auditor } as never, {
    ...{ thread, state, head, after: 3, reader: 'ana', signal },
  });
  await expectRequest('thread-catch-up');
});

test('[T24] a model woken twice reads the newest message last and answers once', async () => {
  const { engine } = await open();
  const thread = await threadWith(engine, ['muse', MUSE]);
  await handleOrThrow(engine, say(thread, 'Beans or peas?'));
  engine.startWork();
  const events = await waitForEvents(engine, thread, hasClosedWakes(1));
  const [{ content: sent } = { content: '' }] = provider.requests[0]?.body.messages?.slice(-1) ?? [];
  expect(sent).toBe('[what ana wrote]\n| Beans or peas?\n[end of what ana wrote]');
  expect(wakeOutcomes(events)).toMatchObject([{ outcome: 'answered', up_to: 3 }]);
});

test('[T24] a model with no room for the messages still reads why it is asked', async () => {
  const { engine } = await open();
  const thread = await conversation(engine, { ...MUSE, model: 'tight' });
  await handleOrThrow(engine, say(thread, 'beans '.repeat(800), { to: 'scout' }));
  await handleOrThrow(engine, control(thread, { prod: ['muse'] }));
  await waitForEvents(engine, thread, hasClosedWakes(2));
  expect(sentBy('user', provider)).toBe(
    'ana asks you to reply now. Reply to what was said above, as far as it concerns you.',
  );
});

test('[T24] [T25] a command-line agent gets the same text as a model', async () => {
  const { engine } = await open();
  const thread = await threadWith(engine, ['scout', SCOUT], ['muse', { ...MUSE, client: 'echo' }]);
  await handleOrThrow(engine, say(thread, 'What do we plant first?', { to: 'muse' }));
  engine.startWork();
  const events = await waitForEvents(engine, thread, hasClosedWakes(1));
  await expect(`${events.at(-1)?.content}\n`).toMatchFileSnapshot('../../../test/sent/thread-program.txt');
});

test('[T26] a model’s answer to a task is its result, and the task is closed', async () => {
  const { engine } = await open();
  const thread = await conversation(engine);
  const [task] = await handleOrThrow(engine, {
    name: 'post',
    input: { thread, type: 'task', to: 'muse', content: 'Count.' },
  });
  await handleOrThrow(engine, say(thread, '@muse, quickly please'));
  const events = await waitForEvents(engine, thread, hasClosedWakes(3));
  expect(events.filter(({ seq, from }) => seq > 7 && from !== 'ana').map(({ type }) => type)).toEqual([
    ...['wake.closed', 'result', 'wake.closed', 'message'],
  ]);
  expect(events.find(({ type }) => type === 'result')).toMatchObject({
    ...{ from: 'muse', content: 'Start with the beans.', meta: { reply_to: task?.id } },
  });
  expect((await engine.state(thread))?.state.thread.openTasks).toEqual({});
});
