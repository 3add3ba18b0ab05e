import { afterEach, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A loom at a priced model, asked to go on. */
async function generate(...steps: readonly FakeStep[]) {
  const models = await startFakeModels();
  closing.push(models.close);
  models.script(...steps);
  const server = await openRemoteEngine(models.openAiUrl, { price: { input: 1000, output: 1000 } });
  closing.push(server.close);
  const thread = await server.create('loom', { text: 'Once upon a time there was a garden' });
  await server.send('generate', { thread, edits: [], text: '', n: 1 });
  const findEnd = async () => (await server.events(thread)).find(({ type }) => /^generation\.f/.test(type));
  const untilEnded = () => server.until(thread, async () => (await findEnd()) !== undefined);
  return { models, server, thread, untilEnded, used: () => server.models.usage.of('workspace') };
}

const NOTHING = { promptTokens: 0, generatedTokens: 0, cost: 0 };
/** As gateways do: 200, a stream, and in it the refusal of whoever is behind. */
const inStream = (status: number): FakeStep => ({
  type: 'text/event-stream',
  wire: [`data: {"error":{"code":${status},"message":"Too many requests."}}\n\n`, 'data: [DONE]\n\n'],
});

test('[M13] a call refused at the start of its stream counts nothing', async () => {
  const { untilEnded, used } = await generate(inStream(402));
  await untilEnded();
  expect(await used()).toMatchObject({ calls: 1, failures: 1, ...NOTHING });
});

test('[M13] after a refused call only the successful answer counts', async () => {
  const text: FakeStep = { text: 'one two three' };
  const plain = await generate(text);
  await plain.untilEnded();
  const second = await generate(inStream(429), inStream(429), text);
  await second.untilEnded();
  expect(second.models.requests).toHaveLength(3);
  expect(await second.used()).toEqual(await plain.used());
});

test('[M13] a generation stopped while it waits after a refusal counts nothing', async () => {
  const { models, server, thread, used } = await generate({ fault: 'rate_limited', repeat: 'always' });
  await expect.poll(() => models.requests.length).toBeGreaterThan(0);
  expect(await server.send('stop', { thread })).not.toHaveProperty('code');
  await server.engine.close();
  expect(await used()).toMatchObject(NOTHING);
});
