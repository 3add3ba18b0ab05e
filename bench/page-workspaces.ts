// Workspaces that take minutes to make: kept beside other temporary files from run to run.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../src/core/events/event.ts';
import { createEngine } from '../src/engine/engine.ts';
import { rebuildIndex } from '../src/engine/search/index-writer.ts';
import type { EventLog } from '../src/log/event-log.ts';
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts';
import { append, fill, threadIn } from './scratch.ts';
import { fillWorkspace } from './search-workspace.ts';

export const LONG = 100_000;
export const MANY = { threads: 1_000, events: 1_000_000 };
const alpha: Actor = { id: 'alpha', kind: 'agent' };

/** One thread of so many messages. */
export async function longThread(): Promise<{ workspace: string; id: string }> {
  const id = 't000000';
  return { workspace: await kept('long-1', (log) => fillWorkspace(log, 1, LONG + 1)), id };
}

/** So many threads and events, and three agents that wait for the person. */
export async function manyThreads(): Promise<{ workspace: string }> {
  const workspace = await kept('many-1', async (log) => {
    await fillWorkspace(log, MANY.threads, MANY.events / MANY.threads);
    await rebuildIndex(log);
    const engine = await createEngine({ log });
    for (let i = 0; i < 3; i++) {
      const thread = await threadIn(engine, `Asks ${i}`);
      await append(engine, alpha, {
        name: 'post',
        input: { thread, type: 'message', to: 'human', content: 'Shall I?' },
      });
      await fill(engine, thread, 1);
    }
    await engine.close();
  });
  return { workspace };
}

async function kept(name: string, make: (log: EventLog) => Promise<void>): Promise<string> {
  const workspace = join(tmpdir(), `heddle-bench-page-${name}`);
  if (existsSync(join(workspace, 'made'))) return workspace;
  rmSync(workspace, { recursive: true, force: true });
  mkdirSync(workspace, { recursive: true, mode: 0o700 });
  const log = openSqliteLog(join(workspace, 'heddle.db'), { synchronous: 'NORMAL' });
  await make(log);
  await log.close();
  writeFileSync(join(workspace, 'made'), '');
  return workspace;
}
