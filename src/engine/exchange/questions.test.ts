import { afterEach, describe, expect, test } from 'vitest';
import { type FakeModels, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { sentBy, sentText } from '../../../test/support/models/sent.ts';
import { isRunOver } from '../../../test/support/servers/engine-access.ts';
import { openExchangeServer, thoughtsJson } from '../../../test/support/servers/exchange-server.ts';
import { buildMindInput } from '../../core/exchange/rounds/inputs.ts';
import { currentTerms, initialExchange } from '../../core/exchange/state.ts';
import type { ModelEntry } from '../../models/registry/schema.ts';
import { mindQuestion } from './questions.ts';

/* What minds and the auditor are sent, as it arrives at their servers (X14). */

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const PROVIDERS = {
  openai: ({ openAiUrl }: FakeModels) => ({ provider: 'openai-chat', base_url: openAiUrl, model: 'm' }),
  anthropic: ({ url }: FakeModels) => ({ provider: 'anthropic', base_url: url, model: 'm' }),
} as const satisfies Record<string, (models: FakeModels) => ModelEntry>;

async function open(provider: keyof typeof PROVIDERS, setup: object) {
  const models = await startFakeModels();
  closing.push(models.close);
  const entry = PROVIDERS[provider](models);
  const pool = await openExchangeServer({}, { models: { mind: entry, auditor: entry } });
  closing.push(pool.close);
  const thread = await pool.create({ question: 'What is a good garden?', ...setup });
  const send = (name: Parameters<typeof pool.send>[0], input: object = {}) => pool.send(name, { thread, ...input });
  /** One more run, to its end. */
  async function run(rounds: number) {
    const { runs } = await pool.state(thread);
    await send('run', { rounds, seed: 5 });
    return pool.until(thread, (state) => state.runs > runs && isRunOver(state));
  }
  const expectRequest = (index: number, name: string) =>
    expect(sentText(models.requests[index])).toMatchFileSnapshot(`../../../test/sent/exchange-${name}-${provider}.txt`);
  return { models, send, run, sent: expectRequest };
}

describe.each(['openai', 'anthropic'] as const)('by %s', (provider) => {
  test('[X14] [X15] [X18] a mind is sent the question, the terms, the latest words and the pool', async () => {
    const { models, send, run, sent } = await open(provider, { audit_every: 2, policy: 'alert', cluster_feed: true });
    models.script(
      { text: thoughtsJson('A good garden has shade.', '[RESTART] Nobody told us how large it is.') },
      { text: thoughtsJson('Shade is a matter of the hour [#1].') },
      { text: 'The pool is about shade [#1, #3] and asks how large the garden is [#2].' },
      { text: 'thoughts:\n  - - Size\n    - matters\n' },
      { text: thoughtsJson('Ten metres are enough.') },
    );
    await run(2);
    await sent(0, 'mind-first');
    await sent(2, 'auditor');
    await send('inject', { text: 'It is ten metres long.' });
    await send('observe', { text: 'Now you know its size.' });
    await send('amend', { set: { audit_every: 3 }, reason: 'More time.' });
    await run(1);
    await sent(3, 'mind-later');
    await sent(4, 'mind-repair');
    expect(models.requests).toHaveLength(5);
  });

  test('[X14] [X16] an auditor that wrote nothing is asked once more, by its instructions alone', async () => {
    const { models, run, sent } = await open(provider, { audit_every: 1, auditor_spec: 'One haiku, no numbers.' });
    models.script({ text: thoughtsJson('A good garden has shade.') }, { text: '' }, { text: 'Moss on the old wall' });
    const state = await run(1);
    await sent(2, 'auditor-repair');
    expect(state.audits.at(-1)?.content).toMatchObject({ text: 'Moss on the old wall', coverage: { share: 0 } });
  });
});

test('[X17] an auditor is sent its amended terms for an audit that is failing', async () => {
  const { models, send, run } = await open('openai', { audit_every: 1 });
  models.script({ text: thoughtsJson('Shade.') }, ...Array.from({ length: 6 }, () => ({ text: '' })));
  expect((await run(1)).run).toMatchObject({ state: 'paused', reason: 'auditor' });
  await send('amend', { set: { auditor_spec: 'One haiku, no numbers.' } });
  // Then a round, and the audit after it.
  models.script({ text: 'Moss on the old wall' }, { text: thoughtsJson('More shade.') }, { text: 'Ferns in a corner' });
  expect((await run(1)).audits.length).toBe(2);
  expect(sentBy('system', models, 7)).toBe('One haiku, no numbers.');
});

const TERMS = currentTerms(initialExchange()).terms;
const INPUT = buildMindInput(initialExchange(), 0, 1);

test.each(['{"notes": 1}', '```\nnothing\n```', 'Just words.', ''])(
  '[X14] a mind that wrote %j is reminded of thoughts, never of drafts',
  (text) => {
    const { read } = mindQuestion(TERMS, INPUT);
    expect(JSON.stringify(read(text))).not.toContain('draft');
  },
);

test('[X15] a small model is asked the question until something newer is said', () => {
  const buildQuestion = (injections: readonly string[]) => {
    const latest = { observer: [], injections, restarts: [] };
    const { frame } = mindQuestion(TERMS, { ...INPUT, question: 'What is a good garden?', latest });
    return frame(1).request.messages.at(-1)?.content;
  };
  expect(buildQuestion([])).toBe('What is a good garden?');
  expect(buildQuestion(['>>> And in winter?'])).toBe('And in winter?');
});

test('[X14] a draft that a mind writes in an exchange is kept as a thought', () => {
  const { read } = mindQuestion(TERMS, INPUT);
  expect(read('draft: Shade matters.')).toEqual({ result: { thoughts: ['Shade matters.'] } });
});
