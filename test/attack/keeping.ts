// What people rely on to keep their work: verify, backup, restore, export, import and rebuild, as they would run them.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyLog } from '../../src/formats/verify/verify.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import { start } from '../faults/child.ts';
import { heddleEntry } from '../support/program/entry.ts';
import { type House, HUMAN } from './house.ts';

/** What a file says it holds. */
interface Written {
  readonly events: number;
  readonly threads: number;
}

export async function checkKeeping(house: House): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-attack-'));
  const here = ['--workspace', house.path, ...(house.database ? ['--database', house.database] : [])];
  const at = (name: string) => join(directory, name);

  /** What a command says in JSON; undefined where it failed, which is a finding. */
  async function heddle<T>(what: string, ...words: readonly string[]): Promise<T | undefined> {
    const child = start(heddleEntry, [...words, '--json'], { NODE_NO_WARNINGS: '1' });
    const said = await child.next().catch(() => undefined);
    const end = await child.ended;
    if (end === 0) return said as T;
    house.report.add(`"heddle ${what}" failed (${end})`, child.complaint().slice(-600));
    return undefined;
  }

  /** A workspace that was made of a file has to hold what the file holds. */
  async function mustHoldAll(what: 'restore' | 'import', file: string, written: Written) {
    if (!(await heddle(what, what, file, '--workspace', at(what)))) return;
    const log = openSqliteLog(join(at(what), 'heddle.db'), { readOnly: true });
    const { broken, events, threads } = await verifyLog(log, undefined).finally(() => log.close());
    if (broken || events !== written.events || threads !== written.threads)
      house.report.add(`a workspace after "heddle ${what}" is not what the file holds`, {
        broken,
        events,
        threads,
        written,
      });
  }

  try {
    const rebuilt = await (await house.as(HUMAN)).rebuild().catch((error: Error) => error);
    if (rebuilt instanceof Error) house.report.add('rebuilding failed', rebuilt.message);
    else if (rebuilt.mended > 0) house.report.add('what is derived from the log was not what a rebuild makes', rebuilt);
    await heddle('verify', 'verify', ...here);
    const backup = await heddle<Written>('backup', 'backup', at('backup.jsonl'), ...here);
    if (backup) await mustHoldAll('restore', at('backup.jsonl'), backup);
    const exported = await heddle<Written>('export', 'export', '--output', at('export.jsonl'), ...here);
    if (exported) await mustHoldAll('import', at('export.jsonl'), exported);
    await checkModes(house);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What lies in the workspace is for its owner's eyes only. */
async function checkModes({ path, database, report }: House): Promise<void> {
  for (const name of ['token', ...(database ? [] : ['heddle.db', 'heddle.db-wal'])]) {
    const found = await stat(join(path, name)).catch(() => undefined);
    if (found && (found.mode & 0o077) !== 0)
      report.add(`others on this machine may read ${name}`, (found.mode & 0o777).toString(8));
  }
}
