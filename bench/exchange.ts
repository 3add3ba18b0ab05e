import { join } from 'node:path';
import { measureDistances } from '../src/core/exchange/rounds/drift.ts';
import { buildMindInput } from '../src/core/exchange/rounds/inputs.ts';
import type { Exchange } from '../src/core/exchange/state.ts';
import { createClusterIndex } from '../src/core/pool/clusters.ts';
import type { UnitVector } from '../src/core/pool/vectors.ts';
import { isRefusal } from '../src/core/refusal.ts';
import { type Command, modeState, type State } from '../src/core/workspace.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { AcceptedCommand } from '../src/engine/handle.ts';
import { writeExchangeInput } from '../src/formats/mind/exchange-input.ts';
import { parseMindOutput } from '../src/formats/mind/output.ts';
import { openEmbedder } from '../src/models/builtin/embedder/embedder.ts';
import { MINILM } from '../src/models/builtin/weights/pinned.ts';
import { drawTopics } from '../test/support/domain/clusters.ts';
import { cacheVectors, firesAt, histories } from '../test/support/domain/restarts.ts';
import { fetchPinned } from '../test/support/models/weights.ts';
import { type Figure, median, ratios } from './measure.ts';
import { withDirectory, withEngine } from './scratch.ts';

const person = { id: 'ana', kind: 'human' } as const;
const mind = { id: 'mind_0', kind: 'agent' } as const;
const clockwork = { id: 'exchange', kind: 'automation' } as const;

export async function exchange(): Promise<Figure[]> {
  return [await roundCost(), ...(await branching()), ...(await detection())];
}

/** Everything a round does but the model and the embedder: drawn, shown, read, placed, measured, decided, stored. */
async function roundCost(): Promise<Figure> {
  const THOUGHTS = 10_000;
  const ROUNDS = 100;
  const topics = Array.from({ length: 150 }, () => ({ size: 60, stray: 0.8, directions: 60 }));
  const vectors = drawTopics({ topics, noise: 3000 }, 4242);
  return scratch(async (engine) => {
    const thread = await grown(engine, 3 * THOUGHTS);
    const clusters = createClusterIndex();
    const vectorOf = (thought: number): UnitVector | undefined => vectors[thought - 1];
    const state = async () => modeState('exchange', (await engine.state(thread))?.state as State) as Exchange;

    async function round() {
      const before = await state();
      if (writeExchangeInput(buildMindInput(before, 0, before.rounds.length)) === '')
        throw new Error('nothing was shown');
      const output = parseMindOutput(OUTPUT);
      if ('malformed' in output) throw new Error(output.malformed);
      await send(engine, mind, spoken(thread, before.rounds.length + 1, [...output.thoughts]));
      const { pool, rounds, current } = await state();
      const { after, assignments } = clusters.step(pool, vectorOf);
      const found = assignments.map((each) => ({ ...each, embedder: 'bench' }));
      const far = measureDistances(pool, current.pool.thoughts.length, vectorOf);
      await send(engine, clockwork, settled(thread, rounds.length + 1, after, found, far));
    }

    for (let i = 0; i < 20; i++) await round();
    const values: number[] = [];
    for (let i = 0; i < 7; i++) {
      const before = process.cpuUsage();
      for (let each = 0; each < ROUNDS; each++) await round();
      const { user, system } = process.cpuUsage(before);
      values.push((user + system) / 1000 / ROUNDS);
    }
    return {
      name: `processor time of a round at 10k thoughts, without models and embedder (ms)`,
      goal: { atMost: 5 },
      values,
      note: `${median(values).toFixed(2)} ms with two thoughts a round, SQLite and its fsync included`,
    };
  });
}

/** A branch from the end of a long exchange, and from that of a short one. */
async function branching(): Promise<Figure[]> {
  const [LONG, SHORT, AT_ONCE] = [100_000, 100, 20];
  return scratch(async (engine) => {
    const [long, short] = [await grown(engine, LONG), await grown(engine, SHORT)];
    const rows = new Set<number>();
    const branch = async (thread: string) => {
      const before = process.cpuUsage();
      for (let i = 0; i < AT_ONCE; i++) {
        const commits = engine.log.counts.commits;
        const { events } = await send(engine, person, { name: 'branch', input: { thread } });
        rows.add(events.length + engine.log.counts.commits - commits - 1);
      }
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const measured = await ratios(
      21,
      () => branch(long),
      () => branch(short),
    );
    return [
      {
        name: 'a branch at 100k events ÷ at 100',
        goal: { atMost: 1.2 },
        values: measured.ratios,
        note: `${(measured.ours / AT_ONCE).toFixed(2)} ms ÷ ${(measured.floor / AT_ONCE).toFixed(2)} ms of processor time`,
      },
      {
        name: 'different numbers of events that a branch writes',
        goal: { atMost: 1 },
        values: [rows.size],
        note: `${[...rows].join(', ')} events each time, whatever the length of the past`,
      },
    ];
  });
}

/** The half of the labelled histories that nobody looked at while the detector was made. */
async function detection(): Promise<Figure[]> {
  await fetchPinned(MINILM);
  const local = openEmbedder();
  const embedder = cacheVectors(local);
  const counts = { right: 0, wrong: 0, missed: 0 };
  for (const history of histories('untouched')) {
    const fired = (await firesAt(history, embedder)) !== undefined;
    if (fired && history.restart) counts.right++;
    else if (fired) counts.wrong++;
    else if (history.restart) counts.missed++;
  }
  await local.close();
  const { right, wrong, missed } = counts;
  const note = `${right} found, ${wrong} wrongly, ${missed} missed, of 100 histories`;
  return [
    { name: 'restart requests: precision', goal: { atLeast: 0.95 }, values: [right / (right + wrong)], note },
    { name: 'restart requests: recall', goal: { atLeast: 0.95 }, values: [right / (right + missed)], note },
  ];
}

const OUTPUT = 'thoughts:\n  - |\n    a thought about the sea and its colour\n  - |\n    another one\n';

function scratch<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  return withDirectory((directory) => withEngine(join(directory, 'heddle.db'), work));
}

async function grown(engine: Engine, events: number): Promise<string> {
  const thread = await begin(engine);
  const sent: Promise<unknown>[] = [];
  for (let round = 1; 3 + 3 * round <= events; round++) {
    sent.push(send(engine, mind, spoken(thread, round, [`thought ${round}`])));
    const assignments = [
      { thought: round, cluster: round % 4 === 0 ? null : Math.ceil(round / 40), embedder: 'bench' },
    ];
    sent.push(send(engine, clockwork, settled(thread, round, round - 1, assignments)));
    if (sent.length >= 1000) await Promise.all(sent.splice(0));
  }
  await Promise.all(sent);
  return thread;
}

async function begin(engine: Engine): Promise<string> {
  const setup = { audit_every: 10_000 };
  const input = { title: 'Pool', kind: 'exchange' as const, invite: [], setup };
  const thread = (await send(engine, person, { name: 'create', input } as Command)).events[0]?.thread as string;
  await send(engine, person, { name: 'run', input: { thread, rounds: 100_000 } });
  return thread;
}

function spoken(thread: string, round: number, thoughts: string[]): Command {
  const usage = { prompt: 10, generated: 5 };
  const facts = { round, run: 1, seed: 7, prompt: 'p', terms: 1, model: 'bench', shown: [], usage, latency_ms: 1 };
  return { name: 'report_thoughts', input: { thread, ...facts, mind: 0, iter: round, result: { thoughts } } };
}

type Settled = Extract<Command, { name: 'settle_round' }>['input'];

function settled(
  thread: string,
  round: number,
  after: number,
  assignments: Settled['assignments'],
  far: Pick<Settled, 'diversity' | 'novelty'> = { diversity: null, novelty: null },
): Command {
  return { name: 'settle_round', input: { thread, round, run: 1, after, assignments, ...far } };
}

async function send(
  engine: Engine,
  actor: Parameters<Engine['handle']>[0],
  command: Command,
): Promise<AcceptedCommand<State>> {
  const done = await engine.handle(actor, command);
  if (isRefusal(done)) throw new Error(done.refusal.message);
  return done;
}
