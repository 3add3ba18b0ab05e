import { join } from 'node:path';
import { isRefusal } from '../src/core/refusal.ts';
import type { Command } from '../src/core/workspace.ts';
import { createEngine, type Engine } from '../src/engine/engine.ts';
import { type EventLog, eventOf } from '../src/log/event-log.ts';
import { openDatabase } from '../src/log/sqlite/open-database.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { type Figure, median, ratios } from './measure.ts';
import { human, withDirectory } from './scratch.ts';

const DEEP = 100_000;
const SHALLOW = 1_000;
const EDITS = 40;
const CHILDREN = 5_000;
const PART = 4_000;

/** Editing in the middle of a path: the same work whatever the depth, and the same rows whatever the children. */
export async function loomEdit(): Promise<Figure[]> {
  return withDirectory(async (directory) => {
    const path = join(directory, 'heddle.db');
    const log = openSqliteLog(path);
    const engine = await createEngine({ log });
    try {
      const deep = await longLoom(engine, DEEP);
      const shallow = await longLoom(engine, SHALLOW);
      const found = await ratios(
        11,
        () => editing(engine, deep, `n${DEEP / 2}`),
        () => editing(engine, shallow, `n${SHALLOW / 2}`),
      );
      const wide = await wideLoom(engine, CHILDREN);
      const rows = await rowsOf(log, path, () => editOnce(engine, wide, 'n0', 0));
      return [
        {
          name: 'edit in the middle of a 100k-deep path ÷ of a 1k-deep one',
          goal: { atMost: 1.5 },
          values: found.ratios,
          note: `${(found.ours / EDITS).toFixed(2)} ms ÷ ${(found.floor / EDITS).toFixed(2)} ms for one edit, committed`,
        },
        {
          name: `rows written by an edit of a node with ${CHILDREN} children`,
          goal: { atMost: 4 },
          values: [rows],
          note: 'in all tables together',
        },
      ];
    } finally {
      await engine.close();
      await log.close();
    }
  });
}

async function editing(engine: Engine, thread: string, node: string): Promise<number> {
  const took: number[] = [];
  for (let i = 0; i < EDITS; i++) {
    const start = performance.now();
    await editOnce(engine, thread, node, i);
    took.push(performance.now() - start);
  }
  return median(took) * EDITS;
}

async function editOnce(engine: Engine, thread: string, node: string, i: number) {
  await send(engine, {
    name: 'commit',
    input: { thread, edits: [{ node, text: `edited ${i} ${performance.now()}` }], text: '' },
  });
}

async function longLoom(engine: Engine, depth: number): Promise<string> {
  return loomWith(engine, depth, (i) => (i === 0 ? undefined : `n${i - 1}`), `n${depth - 1}`);
}

async function wideLoom(engine: Engine, children: number): Promise<string> {
  return loomWith(engine, children + 1, (i) => (i === 0 ? undefined : 'n0'), 'n1');
}

export async function loomWith(
  engine: Engine,
  nodes: number,
  parent: (i: number) => string | undefined,
  active: string,
): Promise<string> {
  const [created] = await send(engine, { name: 'create', input: { title: 'Long', kind: 'loom', invite: [] } });
  const thread = created?.thread as string;
  for (let from = 0; from < nodes; from += PART) {
    const part = Array.from({ length: Math.min(PART, nodes - from) }, (_, k) => {
      const above = parent(from + k);
      return {
        id: `n${from + k}`,
        ...(above && { parent: above }),
        content: `word ${from + k} `,
        kind: 'human' as const,
      };
    });
    await send(engine, {
      name: 'import_tree',
      input: { thread, nodes: part, ...(from + PART >= nodes && { active }) },
    });
  }
  return thread;
}

async function send(engine: Engine, command: Command) {
  const handled = await engine.handle(human, command);
  if (isRefusal(handled)) throw new Error(handled.refusal.message);
  return handled.events.map(eventOf);
}

/** Counts what changed in every table, by looking at all of it before and after. */
async function rowsOf(log: EventLog, path: string, work: () => Promise<void>): Promise<number> {
  const before = await allRows(log, path);
  await work();
  const after = await allRows(log, path);
  let written = 0;
  for (const [table, rows] of after) for (const row of rows) if (!before.get(table)?.has(row)) written++;
  return written;
}

async function allRows(log: EventLog, path: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  await log.head();
  const db = openDatabase(path, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  const found = new Map<string, ReadonlySet<string>>();
  for (const { name } of tables) {
    const rows = db.prepare(`SELECT * FROM "${name}"`).all();
    found.set(String(name), new Set(rows.map((row) => JSON.stringify(row))));
  }
  db.close();
  return found;
}
