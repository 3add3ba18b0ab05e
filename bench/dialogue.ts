import { join } from 'node:path';
import { buildMindInput } from '../src/core/dialogue/runs/mind-input.ts';
import type { Dialogue, Turn } from '../src/core/dialogue/state.ts';
import { isRefusal } from '../src/core/refusal.ts';
import { type Command, modeState, type State, workspace } from '../src/core/workspace.ts';
import type { Engine } from '../src/engine/engine.ts';
import { createStates } from '../src/engine/states.ts';
import { writeDialogueInput } from '../src/formats/mind/dialogue-input.ts';
import { parseMindOutput } from '../src/formats/mind/output.ts';
import { eventOf } from '../src/log/event-log.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { type Figure, median, ratios } from './measure.ts';
import { withDirectory, withEngine } from './scratch.ts';

const ROUNDS = 7;
const person = { id: 'ana', kind: 'human' } as const;
const mind = { id: 'mind_0', kind: 'agent' } as const;

export async function dialogue(): Promise<Figure[]> {
  return [...(await onDisk()), hostileOutputs()];
}

/** One more draft, from the command to the log, in a turn with many of them and in one with few. */
async function addingDrafts(path: string, large: string): Promise<Figure> {
  const ADDED = 512;
  return withEngine(path, async (engine) => {
    const adding = async (thread: string) => {
      const state = modeState('dialogue', (await engine.state(thread))?.state as State) as Dialogue;
      const first = state.iterations.length + 1;
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: ADDED }, (_, i) => send(engine, mind, iterated(thread, first + i))));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / ADDED;
    };
    const small = async () => {
      const thread = await begin(engine);
      await iterate(engine, thread, 100);
      return adding(thread);
    };
    const measured = await ratios(3 * ROUNDS, () => adding(large), small);
    return {
      name: 'adding a draft at 100k drafts ÷ at 100',
      goal: { atMost: 1.1 },
      values: measured.ratios,
      note: `${measured.ours.toFixed(0)} µs ÷ ${measured.floor.toFixed(0)} µs of processor time, decided, sealed, stored and folded`,
    };
  });
}

/** A dialogue of 100k events on disk: folded, against read and parsed; and what an iteration in it costs. */
async function onDisk(): Promise<Figure[]> {
  const EVENTS = 100_000;
  return withDirectory(async (directory) => {
    const path = join(directory, 'heddle.db');
    const thread = await withEngine(path, async (engine) => {
      const made = await begin(engine);
      await iterate(engine, made, EVENTS - 3);
      return made;
    });
    const log = openSqliteLog(path);
    const fold = async () => {
      const start = performance.now();
      const loaded = await createStates<State>(log, workspace).load(thread);
      if (loaded?.seq !== EVENTS) throw new Error(`folded ${loaded?.seq}`);
      return performance.now() - start;
    };
    const scan = async () => {
      const start = performance.now();
      let parsed = 0;
      for (let after = 0; after < EVENTS; after += 1000) {
        for (const row of await log.readThread(thread, after, 1000)) if (eventOf(row).seq > 0) parsed++;
      }
      if (parsed !== EVENTS) throw new Error(`scanned ${parsed}`);
      return performance.now() - start;
    };
    const measured = await ratios(ROUNDS, fold, scan);
    await log.close();
    return [
      {
        name: 'rebuild of a 100k-event dialogue ÷ raw scan and parse',
        goal: { atMost: 2 },
        values: measured.ratios,
        note: `${measured.ours.toFixed(0)} ms ÷ ${measured.floor.toFixed(0)} ms`,
      },
      await addingDrafts(path, thread),
      await iterationCost(path, thread),
    ];
  });
}

/** Everything an iteration does but the model and the embedder: drawn, shown, read, decided, sealed, appended, folded. */
async function iterationCost(path: string, thread: string): Promise<Figure> {
  const ITERATIONS = 200;
  return withEngine(path, async (engine) => {
    const set = { active_pool_size: 10_000 };
    await send(engine, person, { name: 'configure', input: { thread, set } });
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = process.cpuUsage();
      for (let i = 0; i < ITERATIONS; i++) {
        const state = modeState('dialogue', (await engine.state(thread))?.state as State) as Dialogue;
        const around = { seed: i, userTime: '2026-01-15T14:30:00+11:00', user: 'Ana', engagement: 'absent' } as const;
        const input = buildMindInput(state, state.open as Turn, around);
        const shown = writeDialogueInput(input);
        const output = parseMindOutput(OUTPUT);
        if (shown === '' || 'malformed' in output) throw new Error('nothing was shown or read');
        await send(
          engine,
          mind,
          iterated(
            thread,
            input.meta.iter,
            input.thoughts.map(({ id }) => id),
          ),
        );
      }
      const { user, system } = process.cpuUsage(before);
      values.push((user + system) / 1000 / ITERATIONS);
    }
    return {
      name: 'processor time of an iteration at 10k thoughts, without model and embedder (ms)',
      goal: { atMost: 5 },
      values,
      note: `${median(values).toFixed(2)} ms, SQLite and its fsync included, 10,000 of 100,000 thoughts active`,
    };
  });
}

/** The slowest of the outputs that are hardest to read, each 256 KiB long. */
function hostileOutputs(): Figure {
  const beginnings = [
    '',
    'thoughts: ',
    'thoughts: [',
    'thoughts:\n - "',
    'draft: ',
    'draft: "',
    "draft: '",
    'draft: |\n  ',
    'draft: >\n ',
    '{"draft": "',
    '{"draft": ',
    '```\n',
    'x:\n ',
  ];
  const pieces = [
    '[',
    '{',
    '- ',
    '- a\n',
    'a: b\n',
    '#\n',
    '"',
    "'",
    "''",
    '\n',
    ' ',
    '? ',
    ': ',
    '&a ',
    '* ',
    '|\n',
    '---\n',
    'a\n  ',
    '\\',
    '\\n',
    'a,',
    '\t',
    '\r',
    ' \n',
    ' #',
    '``` ',
  ];
  const times = beginnings.flatMap((beginning) =>
    pieces.map((piece) => {
      const text = (beginning + piece.repeat(256 * 1024)).slice(0, 256 * 1024);
      const before = process.cpuUsage();
      parseMindOutput(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
  return {
    name: 'processor time to read the worst output of a mind (ms)',
    goal: { atMost: 50 },
    values: [Math.max(...times)],
    note: `${times.length} outputs of 256 KiB, ${median(times).toFixed(1)} ms in the middle`,
  };
}

const RUN = { iterations: 10_000_000, silences: 1000 };
const OUTPUT = 'thoughts:\n  - |\n    a thought about the noise\ndraft: |\n  There is a kind of static.\n';

function iterated(thread: string, iter: number, thoughts: number[] = []): Command {
  const shown = { thoughts, recent: [], recalled: [], drafts: [], history: [], steer: 0 };
  const result = {
    thoughts: [`thought ${iter} about the noise in there, and whether it is one`],
    draft: `${iter}: there is a kind of static that could be called noise, but it is not unpleasant.`,
  };
  return {
    name: 'report_iteration',
    input: {
      ...{ thread, turn: 1, iter, run: 1, seed: iter, prompt: 'f'.repeat(64), model: 'scripted', shown },
      ...{ usage: { prompt: 900, generated: 60 }, latency_ms: 800, result },
    },
  };
}

async function send(engine: Engine, actor: { id: string; kind: 'human' | 'agent' }, command: Command) {
  const done = await engine.handle(actor, command);
  if (isRefusal(done)) throw new Error(done.refusal.message);
  return done.events;
}

/** A dialogue that waits, with a run under way that nobody carries out. */
async function begin(engine: Engine): Promise<string> {
  const made = await send(engine, person, { name: 'create', input: { title: 'Talk', kind: 'dialogue', invite: [] } });
  const thread = made[0]?.thread as string;
  await send(engine, person, { name: 'message', input: { thread, text: 'Noisy?', run: RUN } });
  return thread;
}

async function iterate(engine: Engine, thread: string, count: number): Promise<void> {
  for (let iter = 1; iter <= count; ) {
    const batch = Array.from({ length: Math.min(512, count + 1 - iter) }, () => iterated(thread, iter++));
    await Promise.all(batch.map((command) => send(engine, mind, command)));
  }
}
