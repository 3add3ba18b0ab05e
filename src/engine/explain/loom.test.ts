import { expect, onTestFinished, test } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import { accountOf, sentences } from '../../../test/support/servers/accounts.ts';
import { openAgentServer, waitForEvents } from '../../../test/support/servers/agent-server.ts';
import { sendOrThrow } from '../../../test/support/servers/engine-access.ts';
import type { Event } from '../../core/events/event.ts';
import { explain } from './explain.ts';

const bea = { id: 'bea', kind: 'human' } as const;

/** A loom with a beginning of ana's and a continuation of the model "base". */
async function openLoom() {
  const server = await openAgentServer({ scripts: { base: { answers: [{ text: ' and the sea rose' }] } } });
  onTestFinished(server.close);
  const { engine } = server;
  engine.startWork();
  const send = async (name: string, input: object, actor: typeof human | typeof bea = human) => {
    return sendOrThrow(engine, name, { thread, ...input }, actor);
  };
  let thread = '';
  const created = await send('create', { title: 'Tale', kind: 'loom', setup: {}, invite: [] });
  thread = created[0]?.thread as string;
  const pending = { edits: [], text: 'The moon set' };
  await send('generate', { ...pending, n: 1, model: 'base', temperature: 0.7, system: 'Write plainly.', logprobs: 0 });
  const isFinished = ({ type }: Event) => type === 'generation.finished';
  const events = await waitForEvents(engine, thread, (all) => all.some(isFinished));
  const finished = events.find(isFinished) as Event;
  const { choices, at } = finished.content as unknown as { choices: { node: string }[]; at: string };
  return { engine, send: send, thread, first: at, node: choices[0]?.node as string };
}

const explainNode = (
  { engine, thread }: Awaited<ReturnType<typeof openLoom>>,
  at: string,
  ...more: [offset?: number, whole?: boolean]
) => accountOf(engine, `/loom/${thread}#${at}`, ...more);

const contentOf = <Content>(events: readonly Event[]) => events.at(0)?.content as unknown as Content;

test('[I28] [W16] [W7] a model’s text shows who asked, its path, its instructions and the proof of its node', async () => {
  const loom = await openLoom();
  const account = await explainNode(loom, loom.node, 5);
  expect(account).toMatchObject({
    text: ' and the sea rose',
    author: { kind: 'model', model: 'base' },
    call: { model: 'base', settings: { temperature: 0.7, n: 1 }, raw: { kept: true } },
    shown: { what: 'Its input was the path before it: 1 node, 12 characters.' },
    terms: { what: 'ana asked for 1 continuation. There were instructions before the text: “Write plainly.”' },
  });
  expect(sentences(account)).toEqual(['Written by base, at the request of ana.']);
  expect(account.shown?.pieces[0]?.link).toBe(`/loom/${loom.thread}#${loom.first}`);
  const whole = await explainNode(loom, loom.node, 5, true);
  expect(whole.shown?.messages).toEqual([{ role: 'text', text: 'Write plainly.\n\nThe moon set' }]);
  const persons = await explainNode(loom, loom.first, 0);
  expect(persons).toMatchObject({ author: { id: 'ana', kind: 'human' } });
  expect(persons.call).toBeUndefined();
  expect(persons.proof.checks[0]?.what).toContain('match the recorded hashes');
});

test('[I28] [W5] [W15] in an edited model text each character belongs to its author, in any version', async () => {
  const loom = await openLoom();
  const edits = [{ node: loom.node, text: ' and the grey sea rose' }];
  const committed = contentOf<{ edits: { node: string }[] }>(await loom.send('commit', { edits, text: '' }, bea));
  const version = committed.edits[0]?.node as string;
  const account = await explainNode(loom, version, 10);
  expect(account).toMatchObject({ author: { id: 'bea', kind: 'human' } });
  expect(account.text.slice(account.at?.from, account.at?.to)).toBe('grey ');
  expect(account.call).toBeUndefined();
  const models = await explainNode(loom, version, 16);
  expect(models).toMatchObject({ author: { kind: 'model', model: 'base' }, call: { model: 'base' } });
  expect(sentences(models)).toEqual([
    'Written by base, at the request of ana.',
    'bea edited the text into another version, which kept this part.',
  ]);
  expect(models.proof.rests).toMatchObject([{ what: 'the event it was first written in' }]);
  const whole = await explainNode(loom, version);
  expect(whole.parts?.length).toBe(3);
  expect(sentences(whole)).toContain('5 characters of 22 are bea’s.');
});

test('[I28] [W20] a node that was split, merged or copied keeps its source', async () => {
  const loom = await openLoom();
  const divided = await loom.send('split', { node: loom.node, at: 4 });
  const { suffix } = contentOf<{ suffix: { node: string } }>(divided);
  const part = await explainNode(loom, suffix.node, 0);
  expect(sentences(part)).toEqual(['Written by base, at the request of ana.', 'ana split the node; this is one part.']);
  const mergeEvents = await loom.send('merge', { node: suffix.node });
  const { merged } = contentOf<{ merged: { node: string } }>(mergeEvents);
  expect(sentences(await explainNode(loom, merged.node, 6))).toEqual([
    'Written by base, at the request of ana.',
    'ana split the node; this is one part.',
    'ana merged two nodes.',
  ]);
});

test('[I28] [W26] an imported node shows its file and what is not known', async () => {
  const loom = await openLoom();
  const nodes = [
    { id: 'a', content: 'Once', kind: 'model' },
    { id: 'b', parent: 'a', content: ' upon', kind: 'human', author: 'carl', created: '2020-01-01T00:00:00.000Z' },
  ];
  await loom.send('import_tree', { nodes, file: { name: 'tale.json', format: 'miniloom' } });
  expect(sentences(await explainNode(loom, 'a', 1))).toEqual([
    'ana imported it from the file "tale.json", read as miniloom.',
    'The file does not say who wrote it or when or which model or what was shown to it.',
  ]);
  const account = await explainNode(loom, 'b');
  expect(account).toMatchObject({ author: { id: 'carl (imported from tale.json by ana)', kind: 'imported' } });
  expect(sentences(account)[1]).toBe(
    'The file names carl as its author; this comes from the file and is not proved by this log.',
  );
  expect(await explain(loom.engine, { link: `/loom/${loom.thread}#root`, whole: false })).toHaveProperty('refusal');
});
