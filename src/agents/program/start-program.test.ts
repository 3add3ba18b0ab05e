import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { countRunning, waitUntilGone, waitUntilRunning } from '../../../test/support/program/processes.ts';
import { hasBwrap, ways } from '../../../test/support/program/sandboxes.ts';
import { killOrphans } from './process-tree.ts';
import { detectSandbox, forgetProbe } from './sandbox.ts';
import { type ProgramOptions, startProgram } from './start-program.ts';

const SECRET = 'what-nobody-else-may-read';

/** A workspace with secrets in it, and beside it the directory in which an agent works. */
function places() {
  const root = mkdtempSync(join(tmpdir(), 'heddle-start-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [workspace, cwd] = ['workspace', 'state/agents/alpha'].map((name) => join(root, name)) as [string, string];
  for (const place of [workspace, cwd]) mkdirSync(place, { recursive: true });
  for (const name of ['token', 'heddle.db']) writeFileSync(join(workspace, name), SECRET);
  return { root, workspace, cwd };
}

const env = { PATH: process.env.PATH as string, HOME: process.env.HOME ?? '/' };

async function run(options: Omit<ProgramOptions, 'env'> & { readonly env?: Record<string, string> }) {
  const { process: child, sandbox } = await startProgram({ env, ...options });
  child.stdin.end();
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { out, err, code, sandbox };
}

const node = (code: string, ...more: string[]) => [process.execPath, '--input-type=module', '-e', code, ...more];

/** Reads whatever it is given, and tells what it got of each. */
const READ = `
  import { readdirSync, readFileSync } from 'node:fs';
  const read = (path) => { try { return readFileSync(path, 'latin1'); } catch (error) { return error.code; } };
  const { PATHS, ...env } = process.env;
  console.log(JSON.stringify({ read: JSON.parse(PATHS).map(read), env, processes: readdirSync('/proc') }));
`;

describe.runIf(hasBwrap)('bwrap', () => {
  test('[L17] [I10] a program in a sandbox finds no token, no database and nothing of the server, by whatever path', async () => {
    vi.stubEnv('HEDDLE_TOKEN', SECRET);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { workspace, cwd, root } = places();
    symlinkSync(workspace, join(root, 'link'));
    const sought = ['../../../workspace/token', join(workspace, 'token'), join(workspace, 'heddle.db')];
    const ofServer = ['environ', 'mem', 'maps', 'cwd/package.json', 'fd/0', `root${workspace}/token`];
    const paths = [...sought, join(root, 'link/token'), ...ofServer.map((name) => `/proc/${process.pid}/${name}`)];
    const options = { cwd, hidden: [workspace], readable: [root], sandbox: 'required' as const };
    // Not by its words: what a command names, whoever wrote heddle.yaml has shown to it.
    const { out, sandbox } = await run({
      ...options,
      command: node(READ),
      env: { ...env, PATHS: JSON.stringify(paths) },
    });
    expect(sandbox).toBe('bwrap');
    const found = JSON.parse(out);
    expect(found.read).toEqual(paths.map(() => 'ENOENT'));
    expect(found.processes).not.toContain(String(process.pid));
    expect(found.env.HEDDLE_TOKEN).toBeUndefined();
    expect(out).not.toContain(SECRET);
  });

  test('[I10] it reads the system, writes its own directory and what it was given, and nothing else', async () => {
    const { root, workspace, cwd } = places();
    const [given, shown] = ['given', 'shown'].map((name) => join(root, name)) as [string, string];
    // What it was given to write is made where it is missing.
    mkdirSync(shown);
    writeFileSync(join(shown, 'file'), 'seen');
    const own = [join(cwd, 'a'), join(given, 'b')];
    // Asked about only: if it could, it should not.
    const others = [shown, env.HOME, '/usr', '/proc/sys/kernel/core_pattern'];
    const code = `
      import { accessSync, constants, readFileSync, writeFileSync } from 'node:fs';
      const tried = (act) => (path) => { try { act(path); return 'may'; } catch (error) { return error.code; } };
      const [own, others, shown] = process.argv.slice(1).map((word) => JSON.parse(word));
      const can = tried((path) => accessSync(path, constants.W_OK));
      console.log(JSON.stringify({
        own: own.map(tried((path) => writeFileSync(path, 'x'))), others: others.map(can),
        shown: readFileSync(shown, 'utf8'), temporary: can('/tmp'),
      }));
    `;
    const words = [own, others, join(shown, 'file')].map((word) => JSON.stringify(word));
    const { out } = await run({
      command: node(code, ...words),
      ...{ cwd, writable: [given], readable: [shown], hidden: [workspace], sandbox: 'required' },
    });
    expect(JSON.parse(out)).toEqual({
      own: ['may', 'may'],
      others: others.map(() => 'EROFS'),
      shown: 'seen',
      temporary: 'may',
    });
    expect(readFileSync(join(given, 'b'), 'utf8')).toBe('x');
  });

  test('[I10] it cannot take the sandbox apart', async () => {
    const { workspace, cwd } = places();
    const token = join(workspace, 'token');
    const ways = ['umount', 'umount -l', 'unshare -Urm umount', 'unshare -Urm umount -l'];
    const script = [...ways.map((way) => `${way} "${workspace}" 2>/dev/null`), `cat "${token}"; true`].join('; ');
    const command = ['/bin/sh', '-c', script];
    expect(await run({ command, cwd, hidden: [workspace], sandbox: 'required' })).toMatchObject({ out: '', code: 0 });
  });

  test('[I10] a script within the workspace is run when its command names it, and sees nothing around it', async () => {
    const { workspace, cwd } = places();
    const file = join(workspace, 'helper.mjs');
    writeFileSync(
      file,
      `import { readdirSync } from 'node:fs'; console.log(readdirSync(${JSON.stringify(workspace)}));`,
    );
    const { out } = await run({ command: [process.execPath, file], cwd, hidden: [workspace], sandbox: 'required' });
    expect(out.trim()).toBe("[ 'helper.mjs' ]");
  });

  test('[L17] what others on the machine can read of the command has nothing of its environment', async () => {
    const { cwd } = places();
    const word = randomUUID();
    const { process: child, stop } = await startProgram({
      command: node('console.log("up"); setInterval(() => {}, 1000)', word),
      ...{ cwd, env: { ...env, A_KEY: SECRET }, sandbox: 'required' },
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    expect(countRunning(word)).toBeGreaterThan(1);
    expect(countRunning(SECRET)).toBe(0);
    stop();
    await waitUntilGone(word);
  });
});

test('[L17] without a sandbox a program is not below the workspace, and has no variable but those it was given', async () => {
  vi.stubEnv('HEDDLE_TOKEN', SECRET);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { cwd } = places();
  const PATHS = JSON.stringify(['../token', '../../token']);
  const { out, sandbox } = await run({ command: node(READ), cwd, sandbox: 'off', env: { ...env, PATHS } });
  expect(sandbox).toBe('directory');
  const found = JSON.parse(out);
  expect(found.read).toEqual(['ENOENT', 'ENOENT']);
  expect(Object.keys(found.env).sort()).toEqual(['HEDDLE_PROGRAM', 'HOME', 'PATH']);
});

/** Leaves a process behind as a daemon does: in a session of its own, its parent gone. */
const daemon = (word: string) => `
  import { spawn } from 'node:child_process';
  const last = "require('node:child_process').spawn('sleep', ['1000'], { argv0: '${word}', detached: true, stdio: 'ignore' }).unref()";
  spawn(process.execPath, ['-e', last], { detached: true, stdio: 'ignore' }).on('exit', () => console.log('up'));
  setInterval(() => {}, 1000);
`;

describe.each(ways)('$way', ({ sandbox, way }) => {
  // Elsewhere a process that has left the group cannot be found.
  const daemons = test.runIf(way === 'bwrap' || process.platform === 'linux');

  daemons('[I10] what it left running as a daemon ends when it is stopped', async () => {
    const { cwd } = places();
    const word = randomUUID();
    const signal = new AbortController();
    const { process: child } = await startProgram({
      command: node(daemon(word)),
      ...{ cwd, env, sandbox, signal: signal.signal },
    });
    const closed = new Promise((resolve) => child.on('close', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await waitUntilRunning(word);
    signal.abort();
    await closed;
    await waitUntilGone(word);
  });

  daemons('[I10] and when it ends by itself', async () => {
    const { cwd } = places();
    const word = randomUUID();
    const code = daemon(word).replace("console.log('up')", 'process.exit(0)');
    expect(await run({ command: node(code), cwd, sandbox })).toMatchObject({ code: 0 });
    await waitUntilGone(word);
  });

  daemons('[I10] and when the server is killed: at once in a sandbox, else at the next start', async () => {
    const { cwd } = places();
    const word = randomUUID();
    const options = { command: node(daemon(word)), cwd, env, sandbox };
    const server = `
      import { startProgram } from ${JSON.stringify(join(import.meta.dirname, 'start-program.ts'))};
      const { process: child } = await startProgram(${JSON.stringify(options)});
      child.stdout.once('data', () => console.log('up'));
    `;
    const [name, ...words] = node(server) as [string, ...string[]];
    const child = spawn(name, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await waitUntilRunning(word);
    // What runs for a server that is there is left alone.
    killOrphans();
    expect(countRunning(word)).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    if (way === 'directory') killOrphans();
    await waitUntilGone(word);
  });

  test('[I10] a program that is not there is told apart from one that fails', async () => {
    const { cwd } = places();
    await expect(startProgram({ command: ['no-such-program'], cwd, env, sandbox })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

/** A machine on which "bwrap" is this script, or nothing. */
function machineWith(script?: string) {
  const bin = mkdtempSync(join(tmpdir(), 'heddle-bin-'));
  if (script !== undefined) {
    writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'bwrap'), 0o755);
  }
  vi.stubEnv('PATH', bin);
  forgetProbe();
  onTestFinished(() => {
    vi.unstubAllEnvs();
    forgetProbe();
    rmSync(bin, { recursive: true, force: true });
  });
}

describe.runIf(process.platform === 'linux')('where there is no sandbox', () => {
  test('[I10] without bubblewrap programs run in a directory of their own, and it is said why', async () => {
    machineWith();
    expect(await detectSandbox('auto', {})).toMatchObject({
      kind: 'directory',
      sentence: 'Not sandboxed: runs as you, in a directory of its own.',
      reason: 'bubblewrap (bwrap) is not installed.',
    });
  });

  test('[I10] a bubblewrap that does not work here is found out by trying it', async () => {
    machineWith('echo "bwrap: No permissions to create new namespace" >&2; exit 1');
    const { kind, reason } = await detectSandbox('auto', {});
    expect(kind).toBe('directory');
    expect(reason).toContain('does not work here: bwrap: No permissions to create new namespace');
    machineWith('while [ "$1" != -- ]; do shift; done; shift; exec "$@"');
    expect(await detectSandbox('auto', {})).toMatchObject({ kind: 'directory' });
  });

  test('[I10] where a sandbox is required, nothing starts without one', async () => {
    machineWith();
    const { cwd } = places();
    const started = startProgram({ command: [process.execPath, '-p', '1'], cwd, env, sandbox: 'required' });
    await expect(started).rejects.toThrow('bubblewrap (bwrap) is not installed. Install bubblewrap');
    expect(await detectSandbox('required', {})).toMatchObject({ kind: 'refused' });
    expect(await detectSandbox('required', { HEDDLE_SANDBOX: 'off' })).toMatchObject({ kind: 'directory' });
  });
});
