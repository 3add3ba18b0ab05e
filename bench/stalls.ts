import { join } from 'node:path';
import { type Server, startServer } from './child.ts';
import { post } from './load.ts';
import { type Figure, median } from './measure.ts';
import { withDirectory } from './scratch.ts';

const ROUNDS = 3;
const HONEST = 600;
const WRITERS = 4;
const HOSTILE_AT_ONCE = 8;
const MEGABYTE = 1_000_000;

/** How long one agent that does everything wrong keeps others waiting, against the same others alone (T23). */
export async function stalls(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const alone: number[] = [];
    const attacked: number[] = [];
    const faults: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer('bench/stalls-server.ts', [join(directory, `${round}.db`)]);
      await post(server, HONEST, WRITERS);
      await longestStall(server);
      await post(server, HONEST, WRITERS);
      alone.push(await longestStall(server));
      const [failed] = await Promise.all([attack(server), post(server, HONEST, WRITERS)]);
      attacked.push(await longestStall(server));
      faults.push(failed);
      await server.stop();
    }
    const note = `${median(attacked).toFixed(1)} ms ÷ ${median(alone).toFixed(1)} ms of processor time between two turns`;
    return [
      {
        name: 'longest stall under a hostile agent ÷ of the same honest load alone',
        goal: { atMost: 1.5 },
        values: attacked.map((ms, i) => ms / (alone[i] as number)),
        note,
      },
      { name: 'the longest stall, in milliseconds', goal: { atMost: 50 }, values: attacked, note },
      { name: 'answers of 5xx', goal: { atMost: 0 }, values: faults, note: 'to whatever the agent sent' },
    ];
  });
}

async function longestStall(server: Server): Promise<number> {
  return (await server.used()).longestStallMs ?? 0;
}

/** All that is dear, several at once; how much of it was answered with a fault. */
async function attack(server: Server): Promise<number> {
  const wishes = wishesOf(server);
  let faults = 0;
  async function send() {
    for (let wish = wishes.pop(); wish; wish = wishes.pop()) {
      const { method = 'POST', path, body, type = 'application/json' } = wish;
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
        method,
        headers: { authorization: `Bearer ${server.agent}`, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body }),
      });
      await answer.arrayBuffer();
      if (answer.status >= 500) faults++;
    }
  }
  await Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, send));
  return faults;
}

interface Wish {
  readonly method?: 'GET';
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

function wishesOf({ thread }: Server): Wish[] {
  const at = `/api/threads/${thread}`;
  const events = (body: object): Wish => ({ path: `${at}/events`, body: JSON.stringify(body) });
  const says = (content: string) => events({ type: 'message', content });
  const tree = {
    root: { id: 'r', text: '', children: many(20_000, (i) => ({ id: `n${i}`, text: 'word '.repeat(40) })) },
  };
  const base64 = Buffer.from(JSON.stringify(tree)).toString('base64');
  const wishes = [
    ...many(300, (i) => events({ type: 'control', content: { invite: { participant_id: `p${i}`, profile: {} } } })),
    ...many(100, (i) => events({ type: 'control', content: { profile: { nickname: `n${i}` } } })),
    ...many(60, () => ({ path: '/api/threads', body: JSON.stringify({ title: 'mine' }) })),
    ...many(40, () => ({ path: `${at}/commands/fork`, body: '{}' })),
    ...many(40, () => ({ path: `${at}/commands/draft`, body: JSON.stringify({ text: 'x'.repeat(MEGABYTE / 2) }) })),
    ...many(4, () => says('@p1 '.repeat(MEGABYTE / 4))),
    ...many(4, () => says('word '.repeat(MEGABYTE / 5))),
    ...many(40, (): Wish => ({ method: 'GET', path: `${at}/state` })),
    ...many(40, (): Wish => ({ method: 'GET', path: `${at}/events?before=head&limit=1000` })),
    ...many(20, (): Wish => ({ method: 'GET', path: '/api/search?q=word' })),
    ...many(2, () => ({
      path: '/api/looms/import',
      type: 'application/jsonl',
      body: chunks(base64, 1_048_576)
        .map((piece) => `${JSON.stringify({ name: 't.json', base64: piece })}\n`)
        .join(''),
    })),
  ];
  // By turns, so that all of it meets at once.
  return wishes
    .map((wish, i) => ({ wish, place: (i * 7919) % wishes.length }))
    .sort((a, b) => a.place - b.place)
    .map(({ wish }) => wish);
}

function many<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

function chunks(text: string, size: number): string[] {
  return many(Math.ceil(text.length / size), (i) => text.slice(i * size, (i + 1) * size));
}
