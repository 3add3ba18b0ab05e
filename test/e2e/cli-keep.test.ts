import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { newDirectory, newWorkspace } from '../support/program/heddle.ts';
import { damageFile } from '../support/stores/damaged-forks.ts';
import { fillDisk, mayMount, mountSmallDisk } from '../support/stores/small-disk.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

async function filled() {
  const workspace = newWorkspace();
  const { ok } = workspace;
  const { thread } = (await ok('threads', 'new', 'Garden', '--json')).json;
  await ok('post', 'Garden', 'one');
  await ok('post', 'Garden', 'two');
  await ok('threads', 'fork', 'Garden', '--at', '2', '--title', 'Another way');
  await ok('post', 'Another way', 'three');
  return { ...workspace, thread: thread.id as string };
}

test('[L5] verify proves a workspace, a thread and a file, names the first broken link, and --expect catches a cut tail', async () => {
  const { path, ok, run, thread } = await filled();
  const whole = (await ok('verify', '--json')).json;
  expect(whole).toMatchObject({ events: 6, threads: 2, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const { head } = (await ok('verify', 'Garden', '--json')).json;
  const file = join(newDirectory(), 'garden.jsonl');
  await ok('export', 'Garden', '-o', file);
  expect((await ok('verify', '--file', file, '--expect', head)).out).toContain(`Head ${head}`);
  await ok('post', 'Garden', 'last words');
  const { head: later } = (await ok('verify', 'Garden', '--json')).json;
  await ok('verify', 'Garden', '--expect', later);

  const database = join(path, 'heddle.db');
  sql(database, `DELETE FROM events WHERE body LIKE '%last words%'`);
  await ok('verify', 'Garden');
  const cut = await run(['verify', 'Garden', '--expect', later, '--json']);
  expect([cut.code, JSON.parse(cut.err).error.code]).toEqual([1, 'other_head']);

  sql(database, `UPDATE events SET body = replace(body, '"one"', '"eno"')`);
  const broken = await run(['verify', '--json']);
  expect(broken.code).toBe(1);
  expect(JSON.parse(broken.err).error).toMatchObject({ code: 'broken', thread, seq: 2 });
  expect((await run(['verify', 'Another way'])).err).toContain(`Event 2 of thread ${thread}`);
  expect((await run(['doctor'])).out).toMatch(/fail {2}log/);
});

test('[L20] what was exported is the same after an import elsewhere, to the last byte but the date and the sum', async () => {
  const { ok } = await filled();
  const file = join(newDirectory(), 'all.jsonl');
  await ok('export', '-o', file);
  const other = newWorkspace();
  const imported = (await other.ok('import', file, '--json')).json;
  expect(imported).toMatchObject({ added: 6, skipped: 0, threads: 2, report: { dropped: [] } });
  expect((await other.ok('verify', '--json')).json).toEqual((await ok('verify', '--json')).json);
  // The date stands in the first line, and so in the sum of all bytes in the last.
  const lines = (text: string) =>
    text
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/,"sum":"[0-9a-f]{64}"/, ''));
  expect(lines((await other.ok('export')).out)).toEqual(lines(readFileSync(file, 'utf8')));
  expect((await other.ok('read', 'Another way')).out).toMatch(/one[\s\S]*three/);
  expect((await other.ok('import', file)).out).toMatch(
    /Imported 0 events .*6 were already here[\s\S]*Nothing was lost/,
  );

  await other.ok('post', 'Garden', 'here');
  await ok('post', 'Garden', 'there');
  await ok('export', '-o', file, '--force');
  const refused = await other.run(['import', file]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/continued differently here: event 5 /)]);
});

test('[L25] an imported thread waits in the terminal until it is resumed, and one’s own workspace does not', async () => {
  const { ok } = await filled();
  await ok('threads', 'new', 'Work');
  await ok('control', 'Work', 'invite', 'beta', 'client=model');
  const file = join(newDirectory(), 'all.jsonl');
  await ok('export', '-o', file);
  const other = newWorkspace();
  expect((await other.ok('import', file)).out).toMatch(
    /There is unfinished work in “Work”: it waits until you resume it.*\n.*heddle resume/,
  );
  expect((await other.ok('resume')).out).toMatch(/Work[\s\S]*Garden/);
  expect((await other.ok('read', 'Garden')).out).toContain('(imported)');
  expect((await other.ok('resume', 'Work')).out).toContain('Resumed “Work”.');
  expect((await other.ok('resume', 'Work')).out).toContain('is not waiting. Nothing was changed.');
  expect((await other.ok('read', 'Work')).out).toContain('resumed this imported thread');
  expect((await other.ok('resume', '--all', '--json')).json.resumed.length).toBeGreaterThan(0);
  expect((await other.ok('resume')).out).toContain('No imported thread is waiting');
  expect(await other.run(['import', file, '--mine'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already contains events'),
  });

  const moved = newWorkspace();
  const { out } = await moved.ok('import', file, '--mine');
  expect(out).toMatch(
    /There is unfinished work in “Work”: it continues as soon as a server runs.\nTo pause a thread first: heddle control/,
  );
  expect((await moved.ok('resume')).out).toContain('No imported thread is waiting');
  expect((await moved.ok('read', 'Garden')).out).not.toContain('(imported)');
});

test('[L17] no token and no credential is in an export or a backup', async () => {
  const { path, ok } = await filled();
  const token = (await ok('token', '--participant', 'alpha')).out.trim();
  const file = join(newDirectory(), 'backup.jsonl');
  await ok('backup', file);
  const text = readFileSync(file, 'utf8') + (await ok('export')).out;
  expect(text).not.toContain('hdl_');
  expect(text).not.toContain(readFileSync(join(path, 'token'), 'utf8').trim());
  const { createHash } = await import('node:crypto');
  expect(text).not.toContain(createHash('sha256').update(token).digest('hex'));
});

test('[I19] a backup while others write is one consistent state, and restoring it proves it', async () => {
  const { path, ok, serve } = await filled();
  const server = await serve();
  const token = readFileSync(join(path, 'token'), 'utf8').trim();
  const client = createClient({ url: server.url, token });
  const { thread } = await client.threads.create({ title: 'Busy' });
  let stop = false;
  const writing = Array.from({ length: 4 }, async () => {
    while (!stop) await client.thread(thread.id).post({ type: 'message', content: 'more' });
  });
  const file = join(newDirectory(), 'backup.jsonl');
  const { head, events } = (await ok('backup', file, '--json')).json;
  stop = true;
  await Promise.all(writing);
  expect((await ok('verify', '--json')).json.events).toBeGreaterThan(events);

  const restored = newWorkspace(join(newDirectory(), 'restored'));
  expect((await restored.ok('restore', file)).out).toContain('Nothing was lost');
  expect((await restored.ok('verify', '--json')).json).toMatchObject({ events, head });
  expect((await restored.ok('rebuild', '--json')).json.mended).toBe(0);
  expect(await restored.run(['restore', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already contains events'),
  });
});

test('[I19] restore makes nothing of a bad file, and finishes what was stopped', async () => {
  const { ok } = await filled();
  const file = join(newDirectory(), 'backup.jsonl');
  await ok('backup', file);
  const whole = readFileSync(file, 'utf8');
  const place = join(newDirectory(), 'never');
  writeFileSync(file, whole.replace('"two"', '"owt"'));
  expect(await newWorkspace(place).run(['restore', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was restored'),
  });
  expect(existsSync(place)).toBe(false);

  writeFileSync(file, whole);
  const target = newWorkspace();
  await target.ok('restore', file);
  const { head } = (await target.ok('verify', '--json')).json;
  // As it is when the machine stops half-way.
  const database = join(target.path, 'heddle.db');
  sql(
    database,
    `INSERT INTO records VALUES ('restoring', 'head', '${head}');
     DELETE FROM events WHERE position > (SELECT min(position) FROM order_marks);
     DELETE FROM order_marks WHERE position > (SELECT max(position) FROM events);
     DELETE FROM forks WHERE thread NOT IN (SELECT thread FROM events)`,
  );
  expect((await target.run(['doctor'])).out).toMatch(/fail {2}log +a restore was started/);
  await target.ok('restore', file);
  expect((await target.ok('verify', '--json')).json.head).toBe(head);
  expect((await target.ok('doctor')).out).toContain('Nothing is broken');
});

test('[L22] repair says what it will do, does it with --yes, and keeps the damaged copy', async () => {
  const { path, ok, run } = newWorkspace();
  expect((await ok('repair')).out).toContain('Nothing to repair');
  await damageFile(join(path, 'heddle.db'));
  expect((await run(['verify'])).code).toBe(1);
  const dry = await ok('repair');
  expect(dry.out).toMatch(/names event 4 of thread \S+ as its origin, but was decided on event 2\./);
  expect(dry.out).toContain('Nothing was changed yet. To do it: heddle repair --yes');
  expect((await run(['verify'])).code).toBe(1);

  const { kept, forks, done } = (await ok('repair', '--yes', '--json')).json;
  expect([done, forks.length, existsSync(kept)]).toEqual([true, 3, true]);
  expect((await ok('verify')).out).toContain('Every link holds');
  await ok('export', '-o', join(newDirectory(), 'all.jsonl'));
  expect((await ok('repair')).out).toContain('Nothing to repair');
});

test('[I19] a backup that is there already is not replaced by accident, and one that is stopped leaves nothing', async () => {
  const { ok, run } = await filled();
  const dir = newDirectory();
  const file = join(dir, 'backup.jsonl');
  writeFileSync(file, 'precious');
  expect((await run(['backup', file])).code).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('precious');
  await ok('backup', file, '--force');
  expect(readdirSync(dir)).toEqual(['backup.jsonl']);
});

test('[L9] import and rebuild are done by the server when one runs, and whoever follows a thread sees what came in', async () => {
  const { ok } = await filled();
  const file = join(newDirectory(), 'backup.jsonl');
  await ok('backup', file);
  const other = newWorkspace();
  const server = await other.serve();
  const token = readFileSync(join(other.path, 'token'), 'utf8').trim();
  const seen = createClient({ url: server.url, token }).stream();
  expect((await other.ok('import', file, '--json')).json).toMatchObject({ added: 6, report: { dropped: [] } });
  const contents: unknown[] = [];
  for await (const { event } of seen) {
    contents.push(event?.content);
    if (event?.content === 'three') break;
  }
  expect(contents).toHaveLength(6);
  expect((await other.ok('verify', '--json')).json).toEqual((await ok('verify', '--json')).json);
  expect((await other.ok('rebuild', '--json')).json).toMatchObject({ threads: 2, mended: 0 });
  await other.ok('post', 'Another way', 'four');

  writeFileSync(file, readFileSync(file, 'utf8').replace('"two"', '"owt"'));
  const refused = await other.run(['import', file, '--json']);
  expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, 'bad_file']);
  const env = { HEDDLE_TOKEN: (await other.ok('token', '--participant', 'alpha')).out.trim() };
  expect((await other.run(['import', file], { env })).code).toBe(3);
});

test('[L9] restore says to stop the server first', async () => {
  const { ok, run, serve } = await filled();
  const file = join(newDirectory(), 'backup.jsonl');
  await ok('backup', file);
  const server = await serve();
  const { code, err } = await run(['restore', file, '--json']);
  expect([code, JSON.parse(err).error.code]).toEqual([1, 'server_running']);
  expect(err).toContain(server.url);
});

test('[L14] a workspace of an earlier version has its rows brought up to date by the first command that writes', async () => {
  const { path, ok } = await filled();
  const database = join(path, 'heddle.db');
  const rows = () => sql(database, `SELECT * FROM records WHERE kind = 'thread' ORDER BY key`);
  const live = rows();
  sql(database, `UPDATE records SET value = json_remove(value, '$.created') WHERE kind = 'thread'`);
  await ok('post', 'Garden', 'three');
  expect(rows()).not.toEqual(live); // These are of this version: nobody looks at them.
  sql(database, `DELETE FROM records WHERE kind = 'rows-mark'`);
  await ok('post', 'Garden', 'four');
  expect(rows()).toEqual(live);
});

test('[L14] rebuild makes every derived row anew, equal to the live ones', async () => {
  const { path, ok, run } = await filled();
  const database = join(path, 'heddle.db');
  const rows = () => sql(database, `SELECT * FROM records WHERE kind = 'thread' ORDER BY key`);
  const live = rows();
  expect((await ok('rebuild', '--json')).json).toMatchObject({ threads: 2, mended: 0 });
  expect(rows()).toEqual(live);
  sql(database, `DELETE FROM records WHERE kind = 'thread'; DELETE FROM snapshots`);
  expect((await run(['read', 'Garden'])).code).toBe(3);
  expect((await ok('rebuild')).out).toContain('2 rows were repaired');
  expect(rows()).toEqual(live);
});

test('[I19] doctor says what is wrong, how badly, and what to do', async () => {
  const { path, ok, run } = await filled();
  const lines = async () => {
    const { code, json } = await run(['doctor', '--json']);
    const of = (name: string) => json.checks.find((check: { name: string }) => check.name === name);
    return { code, ok: json.ok, of };
  };
  expect(await lines()).toMatchObject({ code: 0, ok: true });
  chmodSync(join(path, 'token'), 0o644);
  const open = await lines();
  expect([open.code, open.ok, open.of('token')]).toEqual([
    1,
    false,
    expect.objectContaining({ status: 'fail', todo: expect.stringContaining('chmod 600') }),
  ]);
  chmodSync(join(path, 'token'), 0o600);
  writeFileSync(join(path, 'heddle.yaml'), 'synchronous: NORMAL\n');
  expect((await lines()).of('settings')).toMatchObject({ status: 'warn', message: expect.stringContaining('weaker') });
  writeFileSync(join(path, 'heddle.yaml'), 'synchronous: SOMETIMES\n');
  expect((await lines()).of('settings')).toMatchObject({ status: 'fail', message: expect.stringContaining('line 1') });
  rmSync(join(path, 'heddle.yaml'));
  chmodSync(path, 0o755);
  expect((await lines()).of('workspace')).toMatchObject({ status: 'warn' });
  expect((await ok('doctor')).out).toMatch(/ok +disk +[\d.]+ GiB free/);
});

test('[I19] doctor says that the token in HEDDLE_TOKEN is refused, or whom it acts as', async () => {
  const { ok, run } = await filled();
  const doctor = async (token: string) => {
    const { code, out } = await run(['doctor'], { env: { HEDDLE_TOKEN: token } });
    return { code, out: out.replace(/\s+/g, ' ') };
  };
  const wrong = await doctor('hdl_wrong');
  expect(wrong.code).toBe(1);
  expect(wrong.out).toMatch(
    /fail token the token in HEDDLE_TOKEN is invalid.*→ To act as yourself: unset HEDDLE_TOKEN\./,
  );
  const { out: token } = await ok('token', '--participant', 'alpha');
  expect(await doctor(token.trim())).toMatchObject({ code: 0, out: expect.stringContaining('commands act as alpha') });
});

test.runIf(mayMount())(
  '[L16] a full disk: a clear no, reading goes on, and writing too once there is room',
  async () => {
    const disk = mountSmallDisk();
    const { path, ok, run, serve } = newWorkspace(join(disk, 'workspace'));
    await ok('threads', 'new', 'Garden');
    const server = await serve();
    const filler = join(disk, 'filler');
    fillDisk(filler);
    const long = 'long '.repeat(30_000);
    const posted = await run(['post', 'Garden', '--json'], { input: long });
    expect([posted.code, JSON.parse(posted.err).error.code]).toEqual([1, 'no_space']);
    expect((await ok('read', 'Garden')).out).toContain('created “Garden”');
    const token = readFileSync(join(path, 'token'), 'utf8').trim();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const [{ id }] = (await ok('threads', '--json')).json.threads;
    const body = JSON.stringify({ type: 'message', content: long });
    expect((await fetch(`${server.url}/api/threads/${id}/events`, { method: 'POST', headers, body })).status).toBe(507);
    rmSync(filler);
    expect((await run(['post', 'Garden'], { input: long })).code).toBe(0);
    await server.stop();
    fillDisk(filler);
    expect((await ok('read', 'Garden', '-n', '1')).out).toContain('long long');
    const alone = await run(['post', 'Garden', '--json'], { input: long });
    expect([alone.code, JSON.parse(alone.err).error.code]).toEqual([1, 'no_space']);
    rmSync(filler);
    await ok('verify');
  },
);

function sql(path: string, text: string): unknown[] {
  const db = new DatabaseSync(path);
  try {
    if (text.startsWith('SELECT')) return db.prepare(text).all();
    db.exec(text);
    return [];
  } finally {
    db.close();
  }
}
