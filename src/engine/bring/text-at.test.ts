import { afterEach, beforeEach, expect, test } from 'vitest';
import { alpha, human } from '../../../test/support/domain/given.ts';
import { askStep, dialoguesOf, draftStep } from '../../../test/support/servers/dialogue-samples.ts';
import { createThread, sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import { auditStep, exchangesOf, twoRounds } from '../../../test/support/servers/exchange-samples.ts';
import type { Actor, Event } from '../../core/events/event.ts';
import { parseLink } from '../../core/link.ts';
import { isRefusal } from '../../core/refusal.ts';
import type { Command } from '../../core/workspace.ts';
import { openMemoryLog } from '../../log/memory/memory-log.ts';
import { createEngine, type Engine } from '../engine.ts';
import { textAt } from './text-at.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await createEngine({ log: openMemoryLog() });
});
afterEach(() => engine.close());

const send = (actor: Actor, name: Command['name'], input: object) => sendOrThrow(engine, name, input, actor);
const thread = (kind = 'conversation', setup = {}) => createThread(engine, { title: 'Garden', kind, setup });

async function readTextAt(link: string) {
  const found = await textAt(engine, parseLink(link) as never, human.id);
  return isRefusal(found) ? found.refusal : found;
}

test('[I29] a message, a task and a draft are found with their author and proof', async () => {
  const id = await thread();
  const [message] = await send(human, 'post', { thread: id, type: 'message', content: 'Roses?' });
  const [draft] = await send(alpha, 'draft', { thread: id, text: 'Beans.' });
  expect(await readTextAt(`/threads/${id}#${message?.id}`)).toMatchObject({
    ...{ link: `/threads/${id}#${message?.id}`, thread: id, title: 'Garden', what: 'message', text: 'Roses?' },
    versions: [{ text: 'Roses?', author: 'ana', kind: 'human', event: message?.id, seq: 2, hash: message?.hash }],
  });
  expect(await readTextAt(`/threads/${id}#${draft?.id}`)).toMatchObject({
    ...{ what: 'draft', text: 'Beans.' },
    versions: [{ author: 'alpha', kind: 'model', hash: draft?.hash }],
  });
});

test('[I29] events that a fork inherited are found in it, those of other threads are not', async () => {
  const id = await thread();
  const [message] = await send(human, 'post', { thread: id, type: 'message', content: 'Roses?' });
  const [fork] = await send(human, 'fork', { thread: id });
  expect(await readTextAt(`/threads/${fork?.thread}#${message?.id}`)).toMatchObject({
    text: 'Roses?',
    thread: fork?.thread,
  });
  expect(await readTextAt(`/threads/${await thread()}#${message?.id}`)).toMatchObject({ code: 'unknown_event' });
});

test('[I29] a turn, its drafts and its thoughts are found, and an accepted draft includes the person’s edits', async () => {
  const { make, send: tell } = dialoguesOf(engine);
  const id = await make(askStep, draftStep(1, 'Yes, very.', 'It hums.'));
  expect(await readTextAt(`/dialogue/${id}#1`)).toMatchObject({
    what: 'message',
    text: 'Noisy?',
    versions: [{ kind: 'human' }],
  });
  expect(await readTextAt(`/dialogue/${id}#thought.1`)).toMatchObject({ what: 'thought', text: 'It hums.' });
  await tell(id, 'accept', { draft: 1, text: 'Yes.' });
  expect(await readTextAt(`/dialogue/${id}#1.1`)).toMatchObject({
    ...{ what: 'draft', text: 'Yes.' },
    versions: [
      { text: 'Yes, very.', author: 'mind_0', kind: 'model' },
      { text: 'Yes.', author: 'ana', kind: 'human' },
    ],
  });
  expect(await readTextAt(`/dialogue/${id}#1.2`)).toMatchObject({ code: 'unknown_event' });
});

test('[I29] thoughts, audits and terms of an exchange are found', async () => {
  const id = await exchangesOf(engine).make(...twoRounds, auditStep(1, 'All rests on [#2].'));
  expect(await readTextAt(`/exchange/${id}#audit.1`)).toMatchObject({ what: 'audit', text: 'All rests on [#2].' });
  expect(await readTextAt(`/exchange/${id}#thought.2`)).toMatchObject({
    text: 'the sky',
    versions: [{ author: 'mind_0' }],
  });
  expect(await readTextAt(`/exchange/${id}#terms`)).toMatchObject({ at: 'terms.1', versions: [{ author: 'ana' }] });
  for (const wrong of ['audit.0', 'audit.2', 'thought.9', 'round.1', 'terms.0']) {
    expect(await readTextAt(`/exchange/${id}#${wrong}`), wrong).toMatchObject({ code: 'unknown_event' });
  }
});

test('[I29] a node is found with its context on the path, and a link to the loom means the end of the path', async () => {
  const id = await thread('loom', { text: 'Once ' });
  const [second] = await send(human, 'commit', { thread: id, edits: [], text: 'upon ' });
  const [third] = await send(human, 'commit', { thread: id, edits: [], text: 'a time' });
  const nodes = [second, third].map((event) => ((event as Event).content as { append: { node: string } }).append.node);
  expect(await readTextAt(`/loom/${id}`)).toMatchObject({ at: nodes[1], text: 'a time', before: 'Once upon ' });
  const found = await readTextAt(`/loom/${id}#${nodes[0]}`);
  expect(found).toMatchObject({ text: 'upon ', before: 'Once ', versions: [{ author: 'ana', hash: second?.hash }] });
  await send(human, 'switch', { thread: id, edits: [], text: '', node: 'root' });
  expect(await readTextAt(`/loom/${id}#${nodes[1]}`)).toMatchObject({ text: 'a time', before: 'Once upon ' });
});

test('[I29] a text that does not exist is refused with a message', async () => {
  expect(await readTextAt('/threads/nowhere#x')).toMatchObject({ code: 'unknown_thread' });
  expect(await readTextAt(`/threads/${await thread()}`)).toMatchObject({
    code: 'malformed',
    message: expect.stringContaining('Name one of its texts'),
  });
  expect(await readTextAt(`/loom/${await thread('loom')}`)).toMatchObject({ code: 'unknown_node' });
  const id = await thread();
  const [created] = await engine.log.readThread(id, 0, 1);
  expect(await readTextAt(`/threads/${id}#${created?.id}`)).toMatchObject({ code: 'unknown_event' });
});
