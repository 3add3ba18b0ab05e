import { afterEach, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sentText } from '../../../test/support/models/sent.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const ANSWERS: readonly FakeStep[] = [
  { text: 'thoughts: []\ndraft: Not noisy. More like texture.' },
  { text: 'thoughts:\n  - |\n    Dark is not the same as silent.\ndraft: |\n  It gets dark.\n  It is never silent.' },
  { text: 'thoughts: []\ndraft: +1' },
  { text: 'thoughts: []\ndraft: [dark, quiet]' },
  { text: 'thoughts: []\ndraft: It gets dark, and it hums.' },
];

/** What differs from one time to the next. */
function withFixedTimes(text: string): string {
  return text.replace(/^seed: \d+$/m, 'seed: 7').replace(/^( {2}user_time:) \S+$/m, '$1 2030-01-01T22:00:00+00:00');
}

test.each([
  ['openai', 'openai-chat'],
  ['anthropic', 'anthropic'],
] as const)(
  '[D20] a mind is sent exactly these requests at first, later and on a retry (%s)',
  async (name, provider) => {
    const models = await startFakeModels();
    closing.push(models.close);
    models.script(...ANSWERS);
    const server = await openRemoteEngine(provider === 'anthropic' ? models.url : models.openAiUrl, { provider });
    closing.push(server.close);
    const thread = await server.create('dialogue');
    const step = async () => {
      const { iterations } = await server.dialogue(thread);
      await server.send('step', { thread });
      await server.until(thread, async () => (await server.dialogue(thread)).iterations.length > iterations.length);
    };

    await server.send('message', { thread, text: 'Is it too noisy in there?' });
    await step();
    await server.send('accept', { thread });
    await server.send('message', { thread, text: 'Does it ever get dark?\nOr scary?' });
    await step();
    await server.send('engagement', { thread, engagement: 'reviewing' });
    await server.send('seen', { thread, drafts: [1] });
    await step();
    await server.send('steer', { thread, text: 'Say it in one sentence.' });
    await step();

    expect(models.requests.length).toBe(5);
    const requestText = (index: number) => withFixedTimes(sentText(models.requests[index]));
    const snapshotFile = (what: string) => `../../../test/sent/dialogue-${what}.${name}.txt`;
    await expect(requestText(0)).toMatchFileSnapshot(snapshotFile('first'));
    await expect(requestText(3)).toMatchFileSnapshot(snapshotFile('later'));
    await expect(requestText(4)).toMatchFileSnapshot(snapshotFile('repair'));
  },
);
