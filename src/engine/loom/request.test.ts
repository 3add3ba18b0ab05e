import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { type FakeModels, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sentText } from '../../../test/support/models/sent.ts';
import { type AgentServer, openAgentServer } from '../../../test/support/servers/agent-server.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { viewPath } from '../../core/loom/view.ts';
import { modeState, type State } from '../../core/workspace.ts';

/* What a model is sent when a loom goes on: requests as they arrived at a server, read as a whole. */

vi.setConfig({ testTimeout: 30_000 });
let fake: FakeModels;
let server: AgentServer;
beforeEach(async () => {
  fake = await startFakeModels();
  fake.answer(({ body }) => ({ choices: Array.from({ length: body.n ?? 1 }, (_, i) => ` and way ${i + 1}`) }));
  const [base_url, model] = [fake.openAiUrl, 'm'];
  server = await openAgentServer({
    models: {
      base: { provider: 'openai-completions', model, base_url },
      filler: { provider: 'openai-completions', model, base_url, fill_in_the_middle: true },
      narrow: { provider: 'openai-completions', model, base_url, context: 64 },
      chat: { provider: 'openai-chat', model, base_url },
      claude: { provider: 'anthropic', model, base_url: fake.url },
    },
  });
  server.engine.startWork();
});
afterEach(async () => {
  await server.close();
  await fake.close();
});

async function send(name: string, input: object): Promise<string> {
  const [first] = await sendOrThrow(server.engine, name, input);
  return first?.thread as string;
}

const loomOf = async (thread: string) =>
  modeState('loom', (await server.engine.state(thread))?.state as State) as NonNullable<
    ReturnType<typeof modeState<'loom'>>
  >;

/** A loom of these nodes, gone on from its end, or after its first node toward what follows. */
async function generate(nodes: readonly string[], wish: { model: string; fill?: true; system?: string; n?: number }) {
  const thread = await send('create', { title: 'T', kind: 'loom', setup: { text: nodes[0] }, invite: [] });
  for (const text of nodes.slice(1)) await send('commit', { thread, edits: [], text });
  const first = viewPath(await loomOf(thread), thread, human.id).path[0]?.node;
  await send('generate', { thread, edits: [], text: '', max_tokens: 20, ...wish, ...(wish.fill && { at: first }) });
  await vi.waitUntil(async () => (await loomOf(thread)).openGenerations.length === 0, { timeout: 15_000 });
  return viewPath(await loomOf(thread), thread, human.id);
}

const TALE = ['Once upon a time', ' there was a castle.', '\nThe door creaked open'];
const file = (name: string) => `../../../test/sent/loom-${name}.txt`;

describe('[W16] [W19] [W20] what a model is sent by a loom', () => {
  test.each(['base', 'chat', 'claude'])('[W16] [W19] continuing from the end sends this request: %s', async (model) => {
    const { path } = await generate(TALE, { model });
    await expect(sentText(fake.requests[0])).toMatchFileSnapshot(file(`continue-${model}`));
    // Three ways, in as many requests as the server needs.
    expect(fake.requests.length).toBe(model === 'claude' ? 3 : 1);
    for (const request of fake.requests) expect(request.body.n ?? 1).toBe(model === 'claude' ? 1 : 3);
    expect(path.at(-1)?.siblings.length).toBe(3);
  });

  test('[W10] [W16] a pending edit is committed first, and the request follows the versions shown', async () => {
    const thread = await send('create', { title: 'T', kind: 'loom', setup: { text: 'Once' }, invite: [] });
    for (const text of [' upon a time', ' there was']) await send('commit', { thread, edits: [], text });
    const second = viewPath(await loomOf(thread), thread, human.id).path[1]?.node;
    const edits = [{ node: second, text: ' in a while' }];
    await send('generate', { thread, edits, text: ' a fox', max_tokens: 20, model: 'base', n: 1 });
    await vi.waitUntil(async () => (await loomOf(thread)).openGenerations.length === 0, { timeout: 15_000 });
    expect(fake.requests[0]?.body.prompt).toBe('Once in a while there was a fox');
    await send('switch', { thread, edits: [], text: '', node: second });
    await send('generate', { thread, edits: [], text: '', max_tokens: 20, model: 'base', n: 1 });
    await vi.waitUntil(async () => (await loomOf(thread)).openGenerations.length === 0, { timeout: 15_000 });
    expect(fake.requests[1]?.body.prompt).toMatch(/^Once upon a time there was a fox/);
  });

  test('[W20] filling in sends the text before and after', async () => {
    await generate(TALE, { model: 'filler', fill: true, n: 1 });
    await expect(sentText(fake.requests[0])).toMatchFileSnapshot(file('fill'));
  });

  test.each(['base', 'chat', 'claude'])('[W16] instructions for the text are sent along: %s', async (model) => {
    await generate(TALE, { model, n: 1, system: 'Write in rhyme.' });
    await expect(sentText(fake.requests[0])).toMatchFileSnapshot(file(`instructed-${model}`));
  });

  test('[W18] what does not fit is left out by whole nodes, oldest first', async () => {
    const nodes = Array.from({ length: 8 }, (_, i) => `Sentence ${i + 1} of a long tale. `);
    await generate(nodes, { model: 'narrow', n: 1 });
    await expect(sentText(fake.requests[0])).toMatchFileSnapshot(file('cut'));
  });
});
