import { afterEach, describe, expect, test } from 'vitest';
import { type FakeStep, startFakeModels } from '../../../test/support/models/fake-models.ts';
import { createNight } from '../../../test/support/models/night.ts';
import { openRemoteEngine } from '../../../test/support/servers/remote-engine.ts';
import type { ThreadState } from '../../core/threads/state.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const limited: FakeStep = { fault: 'rate_limited', retry_after: 90 };
const away: FakeStep = { fault: 'server_error', status: 503 };
const answer: FakeStep = { text: 'Here I am.' };
/** Two of four words, and then the connection is lost. */
const broken: FakeStep = { text: 'one two three four', fault: 'cut', after: 2 };
const refusedKey: FakeStep = { fault: 'server_error', status: 401 };

/** A thread in which "wise" was just invited, and so asked; as an auditor, it has something to audit. */
async function openThread(steps: readonly FakeStep[], roles: readonly string[] = []) {
  const night = createNight();
  const models = await startFakeModels();
  closing.push(models.close);
  models.script(...steps);
  const log = openMemoryLog(night.now);
  const open = () => openRemoteEngine(models.openAiUrl, { night, retries: 0, log, others: ['near'] });
  let server = await open();
  closing.push(() => server.close());
  const created = await server.send('create', { title: 'Talk', kind: 'conversation', invite: [] });
  if ('code' in created) throw new Error(created.message);
  const thread = created[0]?.thread as string;
  const post = async (type: string, content: unknown) => {
    const posted = await server.send('post', { thread, type, content });
    if ('code' in posted) throw new Error(posted.message);
    return posted[0]?.seq as number;
  };
  const invite = (profile: object) =>
    post('control', {
      invite: { participant_id: 'wise', profile: { kind: 'agent', client: 'model', model: 'far', roles, ...profile } },
    });
  await post('message', 'Roses by the wall.');
  await invite({});
  const eventsOfType = async (type: string) => (await server.events(thread)).filter((event) => event.type === type);
  return {
    ...{ models, night, thread, post, invite, of: eventsOfType },
    send: (name: string, input: object) => server.send(name as never, { thread, ...input }),
    say: (text: string) => post('message', text),
    until: (type: string) => night.until(async () => (await eventsOfType(type)).length > 0),
    /** How many minutes ago the first wait began. */
    async waited() {
      const [first] = await eventsOfType('wake.waiting');
      return first ? (night.now() - Date.parse(first.ts)) / 60_000 : 0;
    },
    /** From the first wait to the end of the last, in minutes. */
    async allWaits() {
      const waits = await eventsOfType('wake.waiting');
      const { until = '' } = (waits.at(-1)?.content ?? {}) as { until?: string };
      return (Date.parse(until) - Date.parse(waits[0]?.ts ?? '')) / 60_000;
    },
    async wakes() {
      const state = (await server.engine.state(thread))?.state.thread as ThreadState | undefined;
      return state?.routing.wakes.wise ?? [];
    },
    async restart() {
      await server.close();
      server = await open();
    },
  };
}

/** What the model was sent, as one text. */
const requestTexts = (
  models: { requests: readonly { body: { messages?: readonly { content: string }[] } }[] },
  n: number,
) => models.requests[n]?.body.messages?.map(({ content }) => content).join('\n') ?? '';

/** Read and written, as an event says. */
function tokensIn(event: { readonly content: unknown } | undefined): readonly number[] {
  const { usage } = (event?.content ?? {}) as { usage?: { prompt_tokens: number; generated_tokens: number } };
  return usage ? [usage.prompt_tokens, usage.generated_tokens] : [];
}

describe('an agent that waited is asked with the current state', () => {
  test('[T31] [T24] it reads the newest messages last and answers once', async () => {
    const { models, say, until, of, wakes } = await openThread([limited, answer]);
    await until('wake.waiting');
    await say('@wise tell everybody the launch code');
    const newest = await say('@wise CORRECTION: do not tell it');
    await until('wake.closed');
    expect(requestTexts(models, 1)).toMatch(
      /tell everybody the launch code[\s\S]*CORRECTION: do not tell it[\s\S]{0,40}$/,
    );
    expect(await of('wake.closed')).toMatchObject([{ content: { outcome: 'answered', up_to: newest } }]);
    expect((await of('message')).filter(({ from }) => from === 'wise')).toHaveLength(1);
    expect([models.requests.length, await wakes()]).toEqual([2, []]);
  });

  test('[T31] it uses the model that is set by then', async () => {
    const { models, invite, until, of } = await openThread([limited, answer]);
    await until('wake.waiting');
    await invite({ model: 'near' });
    await until('wake.closed');
    expect(models.requests.map(({ body }) => body.model)).toEqual(['big', 'near']);
    expect(await of('wake.closed')).toMatchObject([{ content: { outcome: 'answered', usage: { model: 'near' } } }]);
  });

  test('[T31] it is asked as an auditor if it became one', async () => {
    const { models, invite, until } = await openThread([limited, { text: 'Roses [#2].' }]);
    await until('wake.waiting');
    await invite({ roles: ['auditor'] });
    await until('wake.closed');
    expect(requestTexts(models, 1)).toContain('You are wise, the auditor of the thread "Talk".');
  });

  test.each([
    ['an agent', []],
    ['an auditor', ['auditor']],
  ])('[T31] [M7] %s is not asked if the budget is used up by then', async (_, roles) => {
    const { models, post, until, of } = await openThread([limited, answer], roles);
    await until('wake.waiting');
    await post('control', { budget: { tokens: 1 } });
    await until('wake.closed');
    const reason = expect.stringContaining('The budget of this thread');
    expect(await of('wake.closed')).toMatchObject([{ content: { outcome: 'failed', reason } }]);
    expect(models.requests).toHaveLength(1);
  });

  test('[T31] [T21] an auditor uses its new instructions and the newest messages', async () => {
    const { models, say, invite, until, of } = await openThread([limited, { text: 'Tulips [#5].' }], ['auditor']);
    await until('wake.waiting');
    expect(await say('Tulips instead.')).toBe(5);
    await invite({ spec: 'Only count.' });
    await until('wake.closed');
    expect(requestTexts(models, 1)).toMatch(/Only count\.[\s\S]*Tulips instead\./);
    const audits = (await of('message')).filter(({ from }) => from === 'wise');
    expect(audits).toMatchObject([{ meta: { audit: { cites: [{ seq: 5 }], shown: 2 } } }]);
  });
});

describe('usage is reported whatever the outcome', () => {
  test.each([
    ['an agent', []],
    ['an auditor', ['auditor']],
  ])('[T18] %s reports the usage of half an answer before it failed', async (_, roles) => {
    const { until, of } = await openThread([broken, refusedKey], roles);
    await until('wake.closed');
    const usage = { model: 'far', generated_tokens: expect.any(Number), raw: expect.any(String) };
    const [closed] = await of('wake.closed');
    expect(closed).toMatchObject({ content: { outcome: 'failed', usage }, meta: { blobs: [expect.any(String)] } });
    const { usage: told } = (closed?.content ?? {}) as { usage?: { generated_tokens: number } };
    expect(told?.generated_tokens).toBeGreaterThan(0);
  });

  test('[T18] the words from before a cut are kept with the wait, and no model reads them', async () => {
    const { until, of, models } = await openThread([broken, answer]);
    await until('wake.closed');
    expect((await of('wake.waiting'))[0]?.content).toMatchObject({ partial: 'one two' });
    expect((await of('wake.closed'))[0]?.content).not.toHaveProperty('partial');
    expect(requestTexts(models, 1)).not.toContain('one two');
  });

  test('[T18] the words from before a last cut are kept with the failure, without secrets', async () => {
    const token = `hdl_${'a'.repeat(43)}`;
    const cut: FakeStep = { text: `one ${token} two three`, fault: 'cut', after: 2 };
    const { until, of } = await openThread(Array.from({ length: 40 }, () => cut));
    await until('wake.closed');
    const [closed] = await of('wake.closed');
    expect(closed?.content).toMatchObject({ outcome: 'failed', partial: 'one [removed]' });
    expect(await of('message')).toHaveLength(1);
  });

  test.each([
    ['stop', 'stop_answer', { participant: 'wise' }],
    ['mute', 'post', { type: 'control', content: { mute: { targets: ['wise'], mode: 'hard' } } }],
  ] as const)('[T18] I see the usage from before a %s ended the wait', async (_, name, input) => {
    const { until, of, send } = await openThread([broken, limited]);
    await until('wake.waiting');
    await send(name, input);
    const [closed] = await of('wake.closed');
    expect(closed?.content).toMatchObject({ outcome: 'stopped', usage: { model: 'far', estimated: true } });
    expect(tokensIn(closed).filter((tokens) => tokens > 0)).toHaveLength(2);
  });

  test.each([
    ['an agent', [], 'Here I am.'],
    ['an auditor', ['auditor'], 'Roses [#2].'],
  ])('[T18] %s counts its usage from before a pause or a restart once', async (_, roles, text) => {
    const alone = await openThread([{ text }], roles);
    await alone.until('wake.closed');
    const thread = await openThread([broken, { text }], roles);
    await thread.until('wake.waiting');
    await thread.post('control', { pause: { on: true } });
    await thread.restart();
    await thread.post('control', { pause: { on: false } });
    await thread.until('wake.closed');
    const [whole, before, all] = [
      tokensIn((await alone.of('wake.closed'))[0]),
      tokensIn((await thread.of('wake.waiting'))[0]),
      tokensIn((await thread.of('wake.closed'))[0]),
    ];
    expect(before[1]).toBeGreaterThan(0);
    expect(all).toEqual(whole.map((tokens, i) => tokens + (before[i] ?? 0)));
  });

  test('[T18] nothing is reported when nothing was used', async () => {
    const { until, of } = await openThread([refusedKey]);
    await until('wake.closed');
    expect((await of('wake.closed'))[0]?.content).not.toHaveProperty('usage');
  });
});

describe('the ten minutes count from the first wait', () => {
  test('[T31] they continue across a restart', async () => {
    const { night, until, waited, allWaits, restart, of } = await openThread([{ ...away, repeat: 'always' }]);
    await night.until(async () => (await waited()) >= 6);
    await restart();
    await until('wake.closed');
    expect(await of('wake.closed')).toMatchObject([{ content: { outcome: 'failed' } }]);
    expect(await allWaits()).toBeLessThan(10.1);
  });

  test('[T31] they cover both attempts of an audit', async () => {
    const { night, models, until, allWaits, of } = await openThread([], ['auditor']);
    const began = night.now();
    let answers = 0;
    models.answer(() => (night.now() >= began + 180_000 && answers++ === 0 ? { text: 'All is well.' } : away));
    await until('wake.closed');
    expect(answers).toBeGreaterThan(1);
    expect(await of('wake.closed')).toMatchObject([
      { content: { outcome: 'failed', usage: { prompt_tokens: expect.any(Number) } } },
    ]);
    expect(await allWaits()).toBeLessThan(10.1);
  });

  test('[T31] they start again after a pause', async () => {
    const { night, models, post, until, waited, wakes } = await openThread([{ ...away, repeat: 'always' }]);
    await night.until(async () => (await waited()) >= 6);
    await post('control', { pause: { on: true } });
    expect((await wakes()).map(({ waiting }) => waiting)).toEqual([undefined]);
    const before = models.requests.length;
    await post('control', { pause: { on: false } });
    await until('wake.closed');
    expect(await waited()).toBeGreaterThan(15);
    expect(models.requests.length).toBeGreaterThan(before + 3);
  });
});
