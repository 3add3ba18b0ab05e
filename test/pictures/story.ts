// A workspace worth looking at: a village library moves into an old ferry hall. Scripted models say what was written
// for them by hand, so the pictures show what the rooms are for and not what a small model can do.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Client, createClient } from '../../src/client/index.ts';

const root = join(import.meta.dirname, '../..');
const MODELS = ['marlow', 'finch', 'wren', 'ledger', 'gull', 'keel', 'plumb'];

export interface Story {
  readonly process: ChildProcess;
  readonly url: string;
  readonly client: Client;
  /** The addresses of its threads. */
  readonly thread: string;
  readonly dialogue: string;
  readonly exchange: string;
  readonly loom: string;
}

export async function tellStory(workspace: string): Promise<Story> {
  const { process: server, url, client } = await startServer(workspace);
  const thread = await createThread(client, 'Opening the ferry hall');
  const room = client.thread(thread);
  for (const id of ['marlow', 'finch']) {
    const profile = { nickname: capitalize(id), client: 'model', model: id };
    await room.post({ type: 'control', content: { invite: { participant_id: id, profile } } });
  }
  const say = async (content: string) => {
    await room.post({ type: 'message', content });
    await settled(client);
  };
  await say(
    'We open in the old ferry hall on 4 June. The notes: fiction 24 m, children 14 m, local history 9 m, large print 6 m, tools and seeds 9 m, and 1.5 m between rows for the fire officer. @marlow, can you turn my notes into a plan?',
  );
  await say('That works. @finch, we need spine labels from the catalogue export, 24 to a sheet.');

  const dialogue = await createThread(client, 'Letter to the harbour board', 'dialogue', { model: 'wren' });
  await client.thread(dialogue).command('message', {
    text: 'Write to the harbour board. We need the water in the hall turned on before 20 May, and they have ignored two emails. One page at most: friendly, but with a date.',
  });
  await client.thread(dialogue).command('run', { iterations: 6 });
  await settled(client);

  const minds = ['ledger', 'gull', 'keel'].map((id) => ({ id, model: id }));
  const exchange = await createThread(client, 'Should the library lend tools?', 'exchange', {
    minds,
    auditor_model: 'plumb',
    audit_every: 2,
  });
  const think = async () => {
    await client.thread(exchange).command('run', { rounds: 2 });
    await settled(client);
  };
  await think();
  const answer = 'The repair group would test them. They meet on Thursdays.';
  await client.thread(exchange).command('observe', { text: answer });
  await think();

  const loom = await createThread(client, 'The last ferry', 'loom', {
    text: 'The last ferry left on a Tuesday, with nobody on board who did not work there. My grandmother, who had sold tickets for it since the war, locked the booth, put the key in her coat and forgot it there for thirty years.\n\nIt was a small key. When we found it the hall had been a boat shed, a disco and a place to dry nets, and the booth was still locked. Inside hung the timetable. On the last day the boat had sailed',
  });
  await client.thread(loom).command('generate', { model: 'wren', n: 1 });
  await settled(client);
  const pending = '\n\nNobody on the quay knew this, so the ramp came up';
  await client.thread(loom).command('generate', { text: pending, model: 'marlow', n: 3 });
  await settled(client);

  return {
    process: server,
    url,
    client,
    thread: `/threads/${thread}`,
    dialogue: `/dialogue/${dialogue}`,
    exchange: `/exchange/${exchange}`,
    loom: `/loom/${loom}`,
  };
}

async function startServer(workspace: string) {
  mkdirSync(workspace, { recursive: true });
  cpSync(join(import.meta.dirname, 'scripts'), workspace, { recursive: true });
  const models = MODELS.map((name) => `  ${name}: {provider: scripted, path: ${name}.yaml}\n`).join('');
  writeFileSync(
    join(workspace, 'heddle.yaml'),
    `person: {id: ines}\nmodels:\n${models}defaults: {mind: wren, loom: marlow}\n`,
  );
  const words = [join(root, 'bin/heddle.js'), 'serve', '--no-open', '--json', '--port', '0', '--workspace', workspace];
  const started = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(started.stdout as Readable, 'data');
  const { url } = JSON.parse(String(line)) as { url: string };
  const token = readFileSync(join(workspace, 'token'), 'utf8').trim();
  return { process: started, url, client: createClient({ url, token }) };
}

async function createThread(client: Client, title: string, kind = 'conversation', setup?: object): Promise<string> {
  const { thread } = await client.threads.create({ title, kind, ...(setup && { setup }) } as never);
  return thread.id;
}

/** Waits until no model is at work. */
async function settled(client: Client): Promise<void> {
  const isBusy = async () => (await client.threads.list()).threads.some(({ working }) => working);
  const { head } = await client.threads.list();
  if (!(await isBusy())) return;
  for await (const { event } of client.stream({ after: head })) if (event && !(await isBusy())) return;
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
