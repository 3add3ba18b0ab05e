import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { alpha, human } from '../../../test/support/domain/given.ts';
import { accountOf, sentences } from '../../../test/support/servers/accounts.ts';
import {
  type AgentServerOptions,
  hasClosedWakes,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event } from '../../core/events/event.ts';
import { isRefusal } from '../../core/refusal.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { sha256 } from '../../log/seal.ts';
import type { Engine } from '../engine.ts';
import { explain } from './explain.ts';

async function open(options: AgentServerOptions = {}): Promise<Engine> {
  const server = await openAgentServer(options);
  onTestFinished(server.close);
  server.engine.startWork();
  return server.engine;
}

const lastOfType = (events: readonly Event[], type: string) => events.findLast((event) => event.type === type) as Event;

describe('in a thread', () => {
  test('[I28] [T6] a person’s message shows its author, what it answers and its place in the hash chain', async () => {
    const engine = await open();
    const thread = await threadWith(engine);
    const [first] = await sendOrThrow(engine, 'post', say(thread, 'Beans?').input);
    const meta = { reply_to: first?.id };
    const [event] = await sendOrThrow(engine, 'post', say(thread, 'Peas.', { meta }).input);
    const account = await accountOf(engine, `/threads/${thread}#${event?.id}`, 2);
    expect(account).toMatchObject({ what: 'A message', text: 'Peas.', author: { id: 'ana', kind: 'human' } });
    expect(sentences(account)).toEqual(['ana wrote it.', 'It answers what ana wrote.']);
    expect(account.steps[1]?.link).toBe(`/threads/${thread}#${first?.id}`);
    expect(account.call).toBeUndefined();
    expect(account.proof).toMatchObject({
      event: event?.id,
      hash: event?.hash,
      previous: first?.hash,
      seq: event?.seq,
    });
  });

  test('[I28] [M5] [T18] a model’s message shows its call, its input (in full on request) and the policy', async () => {
    const engine = await open({ scripts: { alpha: { answers: [{ text: 'PASS' }, { text: 'A pond.' }] } } });
    const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha' }]);
    await waitForEvents(engine, thread, hasClosedWakes(1));
    await sendOrThrow(engine, 'post', { thread, type: 'control', content: { policy: { mode: 'small', hops: 2 } } });
    const [woke] = await sendOrThrow(engine, 'post', say(thread, 'What does the garden need?').input);
    const events = await waitForEvents(engine, thread, hasClosedWakes(2));
    const message = lastOfType(events, 'message');
    const account = await accountOf(engine, `/threads/${thread}#${message.id}`);
    expect(account.author).toEqual({ id: 'alpha', kind: 'agent', model: 'alpha' });
    expect(sentences(account)).toEqual([
      'alpha, an agent run by the model "alpha", wrote it.',
      'It answers what ana wrote.',
    ]);
    expect(account.steps[1]?.link).toBe(`/threads/${thread}#${woke?.id}`);
    const { usage } = lastOfType(events, 'wake.closed').content as { usage: { raw: string; prompt_tokens: number } };
    expect(account.call).toMatchObject({
      model: 'alpha',
      raw: { hash: usage.raw, kept: true },
      usage: { prompt: usage.prompt_tokens },
      at: expect.any(String),
      settings: { max_tokens: expect.any(Number) },
    });
    expect(account.shown?.messages).toBeUndefined();
    expect(account.shown?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(account.terms?.what).toContain('policy was "small", with at most 2 wakes in a row');
    expect(account.proof.rests).toMatchObject([{ what: 'the report of its usage' }]);
    const whole = await accountOf(engine, `/threads/${thread}#${message.id}`, undefined, true);
    expect(whole.shown?.messages?.[0]).toMatchObject({
      role: 'system',
      text: expect.stringContaining('You are alpha'),
    });
    expect(whole.shown?.messages?.[1]?.text).toContain('| What does the garden need?');
    expect(whole.call?.response).toContain('pond.');
  });

  test('[I28] [T19] a draft posted with changes shows the person’s changes and the model’s text', async () => {
    const engine = await open({ scripts: { alpha: { answers: [{ text: 'PASS' }, { text: 'Dig a pond there.' }] } } });
    const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha', posting: 'draft' }]);
    await waitForEvents(engine, thread, hasClosedWakes(1));
    await sendOrThrow(engine, 'post', say(thread, 'What now?').input);
    const events = await waitForEvents(engine, thread, hasClosedWakes(2));
    const draft = lastOfType(events, 'draft.proposed');
    const draftAccount = await accountOf(engine, `/threads/${thread}#${draft.id}`);
    expect(draftAccount).toMatchObject({ what: 'A draft in the thread', author: { id: 'alpha', model: 'alpha' } });
    expect(draftAccount.call).toMatchObject({ raw: { kept: true } });
    const posted = await sendOrThrow(engine, 'draft_accept', { thread, index: 1, text: 'Dig a small pond there.' });
    const message = lastOfType(posted, 'message');
    const link = `/threads/${thread}#${message.id}`;
    const whole = await accountOf(engine, link);
    expect(sentences(whole)).toContain('ana posted draft 1 and changed it: 6 characters of 23 are ana’s.');
    expect(whole.parts?.map(({ author: { id } }) => id)).toEqual(['alpha', 'ana', 'alpha']);
    const persons = await accountOf(engine, link, 8);
    expect(persons).toMatchObject({ author: { id: 'ana', kind: 'human' }, at: { offset: 8 } });
    expect(persons.text.slice(persons.at?.from, persons.at?.to)).toBe('small ');
    expect(persons.call).toBeUndefined();
    const models = await accountOf(engine, link, 0);
    expect(models).toMatchObject({ author: { id: 'alpha', model: 'alpha' }, call: { raw: { kept: true } } });
    expect(models.proof.rests.map(({ event }) => event)).toContain(draft.id);
  });

  test('[I28] [I10] a command-line agent’s message shows its program and says what was not kept', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-client-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(join(directory, 'agent.mjs'), "for await (const _ of process.stdin); console.log('A bench.');");
    const command = [process.execPath, join(directory, 'agent.mjs')];
    const engine = await open({ clients: { echo: { adapter: 'command', command } } });
    const thread = await threadWith(engine, ['alpha', { client: 'echo' }]);
    const events = await waitForEvents(engine, thread, hasClosedWakes(1));
    const account = await accountOf(engine, `/threads/${thread}#${lastOfType(events, 'message').id}`);
    expect(account.call).toMatchObject({ model: 'client:echo', settings: {} });
    expect(account.call?.what).toMatch(/command-line agent "echo".*kept no output/);
    expect(account.shown?.what).toContain('The prompt was not kept');
  });

  test('[I28] [T6] a message that an agent posted itself shows its credential and says that no more is known', async () => {
    const engine = await open();
    const thread = await threadWith(engine);
    const [event] = await sendOrThrow(engine, 'post', say(thread, 'Here I am.').input, alpha);
    const account = await accountOf(engine, `/threads/${thread}#${event?.id}`);
    expect(account.author).toEqual({ id: 'alpha', kind: 'agent' });
    expect(sentences(account).at(-1)).toMatch(/credential of alpha.*Heddle does not know which model/);
  });

  test('[I28] [L21] a missing raw response is reported as missing, and a changed one as damaged', async () => {
    const log = openMemoryLog();
    const engine = await open({ scripts: { alpha: { answers: [{ text: 'A pond.' }] } }, log });
    const thread = await threadWith(engine, ['alpha', { client: 'model', model: 'alpha' }]);
    const events = await waitForEvents(engine, thread, hasClosedWakes(1));
    const link = `/threads/${thread}#${lastOfType(events, 'message').id}`;
    const { blob } = log;
    Object.assign(log, { blob: async () => undefined });
    expect((await accountOf(engine, link)).call).toMatchObject({
      raw: { kept: false },
      what: /is not in this workspace/,
    });
    const other = { hash: sha256('else'), size: 3, body: new Uint8Array([1, 2, 3]) };
    Object.assign(log, { blob: async () => other });
    expect((await accountOf(engine, link)).call).toMatchObject({ raw: { kept: false }, what: /is damaged/ });
    Object.assign(log, { blob });
  });

  test('[I28] [T10] a title shows who gave it and when, at the start or later', async () => {
    const engine = await open();
    const thread = await threadWith(engine);
    const threadAccount = await accountOf(engine, `/threads/${thread}`);
    expect(threadAccount).toMatchObject({ text: 'Plans', author: { id: 'ana' }, what: 'The title of a conversation' });
    await sendOrThrow(engine, 'post', { thread, type: 'control', content: { rename: { title: 'Garden' } } });
    const renamed = await accountOf(engine, `/threads/${thread}`);
    expect(sentences(renamed)).toEqual(['ana created the conversation as "Plans".', 'ana gave it this title.']);
  });

  test('[I28] [L5] a changed event is reported in the proof with its position', async () => {
    const log = openMemoryLog();
    const engine = await open({ log });
    const thread = await threadWith(engine);
    const [first] = await sendOrThrow(engine, 'post', say(thread, 'Beans.').input);
    const [second] = await sendOrThrow(engine, 'post', say(thread, 'Peas.').input);
    const { readThread } = log;
    const readForged: typeof readThread = async (...given) =>
      (await readThread(...given)).map((row) =>
        row.id === first?.id ? { ...row, body: row.body.replace('Beans.', 'Roses.') } : row,
      );
    Object.assign(log, { readThread: readForged });
    const account = await explain(engine, { link: `/threads/${thread}#${second?.id}`, whole: false });
    expect(account).toMatchObject({ proof: { holds: false, what: /does not link/ } });
  });
});

test('[I28] [L5] in a long thread the newest links are proved, and the account says where the proof ends', async () => {
  const engine = await open();
  const thread = await threadWith(engine);
  await sendOrThrow(engine, 'post', { thread, type: 'control', content: { rename: { title: 'Garden' } } });
  const posts = Array.from({ length: 2_010 }, (_, i) => engine.handle(human, say(thread, `Row ${i}.`)));
  const lastPost = (await Promise.all(posts)).at(-1);
  const event = lastPost && 'events' in lastPost ? lastPost.events[0] : undefined;
  const account = await explain(engine, { link: `/threads/${thread}#${event?.id}`, whole: false });
  expect(account).toMatchObject({
    text: 'Row 2009.',
    proof: { links: 2_000, whole: false, holds: true, what: /^The last 2,000 links up to here hold; "heddle verify/ },
  });
  const title = await explain(engine, { link: `/threads/${thread}`, whole: false });
  expect(title).toMatchObject({ text: 'Garden', author: { kind: 'unknown' }, steps: [{}, { what: /too far back/ }] });
});

describe('refused', () => {
  test('[I28] [I1] an invalid link, thread, place or offset is refused with a message', async () => {
    const engine = await open();
    const thread = await threadWith(engine);
    const [event] = await sendOrThrow(engine, 'post', say(thread, 'Peas.').input);
    const code = async (link: string, offset?: number) => {
      const account = await explain(engine, { link, offset, whole: false });
      return isRefusal(account) ? `${account.refusal.code}: ${account.refusal.message}` : 'explained';
    };
    expect(await code('peas')).toMatch(/^malformed: "peas" is not a link\. A link is an address on the page/);
    expect(await code('/threads/nowhere#x')).toMatch(/^unknown_thread: There is no thread nowhere/);
    expect(await code(`/threads/${thread}#nothing`)).toMatch(/^unknown_event: There is nothing at #nothing in "Plans"/);
    expect(await code(`/threads/${thread}#audit.1`)).toMatch(/^unknown_event/);
    expect(await code(`/threads/${thread}#${event?.id}`, 5)).toMatch(/^malformed: The text has 5 characters/);
    expect(await code(`http://localhost:4747/threads/${thread}#${event?.id}`, 4)).toBe('explained');
    const other = await threadWith(engine);
    expect(await code(`/threads/${other}#${event?.id}`)).toMatch(/^unknown_event/);
  });

  test('[I28] [L13] an event that a fork inherited is explained as in its parent', async () => {
    const engine = await open();
    const thread = await threadWith(engine);
    const [event] = await sendOrThrow(engine, 'post', say(thread, 'Peas.').input);
    const forked = await sendOrThrow(engine, 'fork', { thread });
    const fork = lastOfType(forked, 'thread.created').thread;
    const account = await accountOf(engine, `/threads/${fork}#${event?.id}`);
    expect(account).toMatchObject({ text: 'Peas.', proof: { hash: event?.hash, thread: fork } });
    expect((await readEvents(engine, fork)).length).toBeGreaterThan(event?.seq ?? 0);
  });
});
