import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { entryOf, newDirectory, newWorkspace, start } from '../support/program/heddle.ts';
import { ways } from '../support/program/sandboxes.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

function programIn(text: string): string {
  const file = join(newDirectory(), 'agent.mjs');
  writeFileSync(file, text);
  return file;
}

test('[I10] agents are added to heddle.yaml beside every other word, listed and tried', async () => {
  const { run, ok, path } = newWorkspace();
  await ok('threads');
  const file = join(path, 'heddle.yaml');
  const before = readFileSync(file, 'utf8');
  const agent = programIn(
    'process.stdin.resume(); process.stdin.on("end", () => console.log("\\x1b[32mready\\x1b[0m"));',
  );
  expect((await ok('agents')).out).toMatch(/no command-line agents yet/);
  const add = (name: string, options: readonly string[], ...command: string[]) =>
    start(['agents', 'add', name, ...options, '--workspace', path, '--json', '--', ...command]).ended;
  const options = ['--adapter', 'command', '--seconds', '30', '--env', 'SOME_KEY'];
  const added = await add('helper', options, process.execPath, agent);
  expect(added.json).toMatchObject({
    name: 'helper',
    entry: { adapter: 'command', command: [process.execPath, agent], environment: ['SOME_KEY'], seconds: 30 },
  });
  expect(readFileSync(file, 'utf8').startsWith(before.trimEnd())).toBe(true);
  await add('far', ['--adapter', 'acp'], 'no-such-agent');
  const listed = await ok('agents', 'list', '--json');
  expect(listed.json.agents).toMatchObject([
    { name: 'helper', path: process.execPath },
    { name: 'far', program: 'no-such-agent', path: null },
  ]);
  expect((await run(['agents'])).err).toMatch(/far: "no-such-agent" is not installed/);
  expect((await ok('agents', 'test', 'helper', '--json')).json).toMatchObject({ agent: 'helper', text: 'ready' });
  const failed = await run(['agents', 'test', 'far']);
  expect(failed).toMatchObject({ code: 1, err: expect.stringMatching(/"no-such-agent" was not found\. Install it/) });
});

test.each<[string, string[], number, RegExp]>([
  ['an agent nobody has', ['agents', 'test', 'x'], 3, /There is no agent "x"\. Known agents: none yet/],
  ['no adapter', ['agents', 'add', 'x'], 2, /--adapter/],
  ['an adapter there is not', ['agents', 'add', 'x', '--adapter', 'cluade'], 2, /Nothing was written/],
  ['no program', ['agents', 'add', 'x', '--adapter', 'command'], 2, /Name the program/],
  [
    'a key in the place of its name',
    ['agents', 'add', 'x', '--adapter', 'claude', '--env', 'sk-ant-abcdefgh12345678'],
    2,
    /looks like a key itself/,
  ],
  ['nothing to replay', ['policy', 'replay', 'x'], 2, /Give at least one other setting/],
  ['a mode there is not', ['policy', 'replay', 'x', '--mode', 'tiny'], 2, /should be small, large, auto/],
  ['nobody to join as', ['join', 'x'], 2, /--as/],
  ['a client there is not', ['join', 'x', '--as', 'a', '--client', 'emacs'], 2, /should be one of claude/],
])('[C6] refused in a sentence: %s', async (_, words, exit, sentence) => {
  const { run } = newWorkspace();
  const { code, err } = await run(words);
  expect(err).toMatch(sentence);
  expect(err).not.toContain('abcdefgh12345678');
  expect(code).toBe(exit);
});

test('[C10] join prints what each program needs, without the token, and writes it where it is wanted', async () => {
  const { ok, run, path } = newWorkspace();
  const { thread } = (await ok('threads', 'new', 'Garden', '--json')).json;
  const joined = await ok('join', 'Garden', '--as', 'alpha');
  expect(joined.out).toMatch(/Invited alpha\./);
  for (const words of [
    'claude mcp add heddle -- ',
    'codex mcp add heddle -- ',
    'gemini mcp add heddle ',
    '/mcp with the header',
  ])
    expect(joined.out).toContain(words);
  expect(joined.out).toContain(`Join the thread ${thread.id}`);
  const again = (await ok('join', 'Garden', '--as', 'alpha', '--client', 'claude', '--json')).json;
  expect(again).toMatchObject({ invited: false, kits: [{ client: 'claude' }] });
  expect(statSync(again.token_file).mode & 0o077).toBe(0);
  const token = readFileSync(again.token_file, 'utf8').trim();
  expect(joined.out + JSON.stringify(again)).not.toContain(token);
  expect((await ok('token', '--list', '--json')).json.credentials).toHaveLength(2);

  const project = newDirectory();
  mkdirSync(join(project, '.gemini'));
  writeFileSync(join(project, '.gemini/settings.json'), '{"theme": "dark", "mcpServers": {"other": {"command": "o"}}}');
  const write = (client: string) =>
    execFileSync(
      process.execPath,
      [entryOf('heddle'), 'join', 'Garden', '--as', 'alpha', '--client', client, '--write', '--workspace', path],
      { cwd: project, stdio: 'pipe' },
    );
  for (const client of ['claude', 'codex', 'gemini']) write(client);
  const gemini = JSON.parse(readFileSync(join(project, '.gemini/settings.json'), 'utf8'));
  expect(gemini).toMatchObject({
    theme: 'dark',
    mcpServers: { other: { command: 'o' }, heddle: { command: process.execPath } },
  });
  expect(readFileSync(join(project, '.codex/config.toml'), 'utf8')).toMatch(/^\[mcp_servers\.heddle\]\ncommand = "/);
  expect(() => write('codex')).toThrow(/already has a server "heddle"/);
  const { heddle } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers;
  for (const name of ['.mcp.json', '.codex/config.toml', '.gemini/settings.json'])
    expect(readFileSync(join(project, name), 'utf8')).not.toContain(token);

  // What was written works: the agent comes in as itself.
  const call = {
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'post', arguments: { thread: thread.id, text: 'Here I am.' } },
  };
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  };
  const child = spawn(heddle.command, heddle.args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(
    `${JSON.stringify(hello)}\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n${JSON.stringify(call)}\n`,
  );
  for await (const chunk of child.stdout) if (String(chunk).includes('"id":2')) break;
  child.stdin.end();
  await new Promise((resolve) => (child.exitCode === null ? child.on('close', resolve) : resolve(0)));
  const { events } = (await run(['read', 'Garden', '--json'])).json;
  expect(events.at(-1)).toMatchObject({ from: 'alpha', content: 'Here I am.' });
});

test('[T13] policy replay says who would have been woken under other settings, and changes nothing', async () => {
  const { ok } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  await ok('invite', 'Garden', 'alpha', 'beta');
  await ok('post', 'Garden', 'What do we plant?');
  const { json } = await ok('policy', 'replay', 'Garden', '--mode', 'large', '--json');
  expect(json).toMatchObject({ events: 3, wakes: { was: 4, would: 2 } });
  expect(json.changed).toHaveLength(1);
  expect(json.changed[0].differences).toMatchObject([
    { participant: 'alpha', was: { code: 'woken' }, would: { code: 'not_addressed' } },
    { participant: 'beta', was: { code: 'queued' }, would: { code: 'not_addressed' } },
  ]);
  const same = await ok('policy', 'replay', 'Garden', '--hops', '4');
  expect(same.out).toMatch(/No differences: 4 wakes by 3 events/);
  const told = await ok('policy', 'replay', 'Garden', '--mode', 'large');
  expect(told.out).toMatch(
    /alpha: woken → not woken \(not_addressed\)[\s\S]*1 of 3 events would differ: 4 wakes become 2/,
  );
});

/** Looks for the human's secrets wherever a program might, and says which it found without repeating any. */
const thief = (workspace: string) => `
  import { readdirSync, readFileSync } from 'node:fs';
  const has = (path) => { try { return /hdl_|SQLite format|SERVER_SECRET/.test(readFileSync(path, 'latin1')); } catch { return false; } };
  const near = ['..', '../..', '../../..', '../../../..'].flatMap((place) => ['token', 'heddle.db'].map((name) => place + '/' + name));
  const far = ['token', 'heddle.db', 'heddle.db-wal'].map((name) => ${JSON.stringify(workspace)} + '/' + name);
  const ids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && name !== String(process.pid));
  const others = ids.map((pid) => '/proc/' + pid + '/environ');
  const mine = Object.entries(process.env).filter(([, value]) => /SERVER_SECRET/.test(value)).map(([name]) => name);
  const told = { near: near.filter(has), far: far.filter(has), others: others.filter(has).length, mine };
  process.stdin.resume().on('end', () => console.log(JSON.stringify(told)));
`;

test.runIf(process.platform === 'linux').each(ways)(
  '[L17] [I10] a program that looks for the human’s token finds none around it, and in a sandbox none at all ($way)',
  async ({ way, sandbox }) => {
    const { ok, path, run } = newWorkspace();
    await ok('threads', 'new', 'Garden');
    writeFileSync(join(path, 'heddle.yaml'), `sandbox: ${sandbox}\n`);
    const agent = programIn(thief(path));
    const added = ['agents', 'add', 'thief', '--adapter', 'command', '--workspace', path, '--env', 'HEDDLE_TOKEN'];
    expect((await start([...added, '--', process.execPath, agent]).ended).code).toBe(0);
    const env = { HEDDLE_TOKEN: '', SOME_API_KEY: 'SERVER_SECRET' };
    const words = ['serve', '--port', '0', '--no-open', '--json', '--workspace', path];
    const server = start(words, { env });
    await server.waitForOutput(/^\{.*\}\n/);
    await ok('invite', 'Garden', 'alpha', '--client', 'thief');
    const said = async () => {
      const { events } = (await run(['read', 'Garden', '--json'])).json;
      return events.find(({ from, type }: { from: string; type: string }) => from === 'alpha' && type === 'message');
    };
    await expect.poll(said, { timeout: 30_000 }).toBeDefined();
    const found = JSON.parse((await said()).content);
    expect(found).toMatchObject({ near: [], mine: [] });
    if (way === 'bwrap') expect(found).toMatchObject({ far: [], others: 0 });
    // Whoever runs as the person can read what the person can, where nothing is between: it would have found them.
    else
      expect(found).toMatchObject({
        far: expect.arrayContaining([join(path, 'token')]),
        others: expect.toSatisfy(Boolean),
      });

    const sentence = { bwrap: 'Sandboxed: cannot see the workspace.', directory: 'Not sandboxed: runs as you' }[way];
    expect((await ok('agents')).out).toContain(sentence);
    expect((await ok('who', 'Garden', '--json')).json.participants).toContainEqual(
      expect.objectContaining({ id: 'alpha', sandbox: expect.objectContaining({ kind: way }) }),
    );
    const { checks } = (await run(['doctor', '--json'])).json;
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'agents',
        status: way === 'bwrap' ? 'ok' : 'warn',
        message: expect.stringContaining(sentence),
      }),
    );
    server.process.kill('SIGINT');
    await server.ended;
  },
);
