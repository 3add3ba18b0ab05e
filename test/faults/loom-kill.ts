import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { HeddleUnreachable } from '../../src/client/index.ts';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { seeded } from '../support/random.ts';
import { type Fault, must } from './fault.ts';
import { type Server, type Workspace, withWorkspace } from './server.ts';

/** What a person knows of a loom: what was acknowledged must be there, what was not may be. */
interface Known {
  /** By node: its text. */
  readonly nodes: Map<string, string>;
  scratch: unknown;
  /** Saved without an answer. */
  perhaps: unknown;
  requested: number;
}

type Random = ReturnType<typeof seeded>;

/** The server is killed just as it commits: writing, editing, switching, pruning, undoing, generating, saving scratch. */
export const loomKill: Fault = {
  name: 'loom-kill',
  rules: '[W3] [W9] [W16] [L8]',
  slice: 5,
  full: 200,
  async run(rounds, say) {
    const seed = randomInt(2 ** 31);
    say(`seed ${seed}`);
    try {
      return await withWorkspace((workspace) => killWhileCommitting(workspace, rounds, seed, say));
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  },
};

async function killWhileCommitting(workspace: Workspace, rounds: number, seed: number, say: (text: string) => void) {
  const random = seeded(seed);
  writeFileSync(join(workspace.path, 'heddle.yaml'), SETTINGS);
  writeFileSync(join(workspace.path, 'script.yaml'), SCRIPT);
  let server = await workspace.serve();
  const created = await server.client().threads.create({ title: 'Tale', kind: 'loom', setup: { text: 'Once ' } });
  const loom = created.thread.id;
  const known: Known = { nodes: new Map(), scratch: null, perhaps: undefined, requested: 0 };
  let cutOff = 0;
  for (let round = 1; round <= rounds; round++) {
    // A few that are answered, then one that may not be.
    for (let i = random.below(4); i > 0; i--) await (await plan(server, loom, known, random))();
    const act = await plan(server, loom, known, random);
    const acting = act().then(
      () => false,
      (error) => {
        if (!(error instanceof HeddleUnreachable)) throw error;
        return true;
      },
    );
    await later(random.below(8));
    await server.kill();
    if (await acting) cutOff++;
    server = await workspace.serve();
    await check(server, loom, known);
    if (round % 20 === 0) say(`round ${round}: ${known.nodes.size} nodes, all there`);
  }
  await untilIdle(server, loom);
  await server.stop();
  const log = openSqliteLog(workspace.database, { readOnly: true });
  const { broken, events } = await verifyLog(log, loom);
  await log.close();
  must(!broken, `the chain is broken: ${JSON.stringify(broken)}`);
  return `${rounds} kills, ${cutOff} of them with a request cut off; ${known.nodes.size} nodes acknowledged, ${known.requested} generations, ${events} events: no node lost, scratch text back, every generation ended (seed ${seed})`;
}

const SETTINGS = `models:
  base: {provider: scripted, path: script.yaml}
defaults: {loom: base}
`;
const SCRIPT = `loop: true
answers:
  - {choices: [" upon", " more"], pace: 3}
`;

/** Something to do, with everything known that it takes: when it is called only its own request is under way. */
async function plan(server: Server, loom: string, known: Known, random: Random): Promise<() => Promise<void>> {
  const thread = server.client().thread(loom);
  const { path } = await thread.loom.path();
  const node = path.length === 0 ? undefined : random.pick(path).node;
  const text = `w${random.below(1_000_000)} `;
  switch (node === undefined ? 0 : random.below(8)) {
    case 0:
    case 1:
      return async () => noteCommitted(known, await thread.command('commit', { text }));
    case 2:
      return async () => noteCommitted(known, await thread.command('commit', { edits: [{ node: node ?? '', text }] }));
    case 3: {
      const to = random.pick([node ?? '', ...known.nodes.keys()]);
      return async () => noteCommitted(known, await thread.command('switch', { node: to, text }));
    }
    case 4: {
      const pruned = random.below(2) === 0;
      return async () => void (await thread.command('mark', { node: node ?? '', pruned, note: text }));
    }
    case 5:
      return async () => void (await thread.command('undo', {}).catch(unlessRefused));
    case 6:
      return async () => {
        noteCommitted(known, await thread.command('generate', { n: 2, text }));
        known.requested++;
      };
    default:
      return async () => {
        const scratch = { edits: [], buffer: text, count: path.length, after: node ?? null };
        known.perhaps = scratch;
        await thread.loom.keepScratch(scratch);
        known.scratch = scratch;
        known.perhaps = undefined;
      };
  }
}

function unlessRefused(error: unknown) {
  if (error instanceof HeddleUnreachable) throw error;
}

interface Committed {
  readonly edits: readonly { readonly node: string; readonly content: string }[];
  readonly append?: { readonly node: string; readonly content: string };
}

function noteCommitted(
  known: Known,
  { events }: { readonly events: readonly { readonly type: string; readonly content: unknown }[] },
) {
  for (const { type, content } of events) {
    if (type !== 'loom.committed') continue;
    const { edits, append } = content as Committed;
    for (const { node, content: text } of append ? [...edits, append] : edits) known.nodes.set(node, text);
  }
}

async function check(server: Server, loom: string, known: Known): Promise<void> {
  const thread = server.client().thread(loom);
  for (const [node, text] of known.nodes) {
    const { content } = await thread.loom.node(node);
    must(content === text, `the node ${node} says "${content}" and was acknowledged as "${text}"`);
  }
  const { scratch } = await thread.loom.scratch();
  const wanted = [known.scratch, known.perhaps]
    .filter((each) => each !== undefined)
    .map((each) => JSON.stringify(each));
  must(
    wanted.includes(JSON.stringify(scratch)),
    `scratch came back as ${JSON.stringify(scratch)}, not ${wanted.join(' or ')}`,
  );
  known.scratch = scratch;
  known.perhaps = undefined;
  const { text, path } = await thread.loom.path();
  must(path.reduce((at, { start, end }) => (start === at ? end : -1), 0) === text.length, 'the path has gaps');
}

/** What was asked for comes, though the server died over it. */
async function untilIdle(server: Server, loom: string): Promise<void> {
  const thread = server.client().thread(loom);
  for (let after = 'head'; ; ) {
    const { cursor } = await thread.events({ after, limit: 1000 });
    if ((await thread.loom.path()).running.length === 0) return;
    ({ cursor: after } = await thread.events({ after: cursor, wait: 25 }));
  }
}
