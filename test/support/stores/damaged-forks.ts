// A workspace as the version left it that could break the chain by a fork: recorded from messages and forks sent at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type Sql = (text: string, values: (string | number)[]) => unknown;

const file = join(import.meta.dirname, '../../recordings/logs/damaged-forks.jsonl');

/** Writes its rows into an empty workspace; with a text `changed` besides, which no repair can mend. */
export async function writeDamagedForks(sql: Sql, changed?: 'changed'): Promise<void> {
  let position = 0;
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const { fork, hash, ...event } = JSON.parse(line);
    if (fork) {
      await sql('INSERT INTO forks VALUES ($1, $2, $3)', [fork.thread, fork.parent, fork.seq]);
      continue;
    }
    const body = JSON.stringify(changed && position === 2 ? { ...event, content: changed } : event);
    const { id, thread, seq } = event;
    await sql('INSERT INTO events VALUES ($1, $2, $3, $4, $5, $6)', [++position, id, thread, seq, hash, body]);
  }
}

/** The same in an empty file, as it was before there was an order chain. */
export async function damageFile(path: string, changed?: 'changed'): Promise<void> {
  const db = new DatabaseSync(path);
  await writeDamagedForks((text, values) => db.prepare(text.replaceAll('$', '?')).run(...values), changed);
  db.exec('DROP TABLE order_marks; PRAGMA user_version = 1');
  db.close();
}
