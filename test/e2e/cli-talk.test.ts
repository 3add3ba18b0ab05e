import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { newDirectory, newWorkspace, start } from '../support/program/heddle.ts';

// A test here starts the program many times, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const COMMANDS = [
  ...['serve', 'token', 'threads', 'post', 'read', 'search', 'tail', 'invite', 'control', 'who', 'side', 'verify'],
  ...['export', 'import', 'backup', 'restore', 'rebuild', 'doctor', 'models', 'completion'],
];

describe.for([
  ['with a server', true],
  ['without a server', false],
] as const)('%s', ([, served]) => {
  async function open() {
    const workspace = newWorkspace();
    if (served) await workspace.serve();
    return workspace;
  }

  test('[C10] a conversation from the command line', async () => {
    const { ok } = await open();
    const { thread } = (await ok('threads', 'new', 'Garden', 'plans', '--invite', 'alpha,beta', '--json')).json;
    expect(thread).toMatchObject({ title: 'Garden plans', kind: 'conversation' });
    const posted = (await ok('post', 'Garden plans', 'Shall we plant beans?', '--to', 'alpha', '--json')).json;
    expect(posted.event).toMatchObject({ seq: 4, from: 'human', to: 'alpha', content: 'Shall we plant beans?' });
    expect(posted.delivery).toContainEqual(expect.objectContaining({ participant: 'alpha', decision: 'wake' }));
    await ok('post', thread.id.slice(-8), 'Or peas?', '--reply-to', '4');
    await ok('threads', 'rename', thread.id.slice(0, 24), 'Beans');
    const { out } = await ok('read', 'Beans');
    expect(out).toMatch(
      /human created “Garden plans”[\s\S]*human → alpha[\s\S]*plant beans\?[\s\S]*↳ human: Shall we[\s\S]*Or peas/,
    );
    const hits = await ok('search', 'PLANT beans', '--kind', 'message', '--after', '1d', '--thread', 'Beans');
    expect(hits.out).toMatch(
      new RegExp(
        `^Beans  message by human, just now\\n  Shall we plant beans\\?\\n  \\S*/threads/${thread.id}#${posted.event.id}\\n$`,
      ),
    );
    const found = (await ok('search', '"or peas" -beans', '--json')).json;
    expect(found).toMatchObject({ hits: [{ kind: 'message', title: 'Beans' }], more: false });
    expect(found.indexed.events).toBe(found.indexed.total);
    const listed = (await ok('threads', '--json')).json.threads;
    expect(listed).toEqual([
      expect.objectContaining({ id: thread.id, title: 'Beans', last: expect.objectContaining({ from: 'human' }) }),
    ]);
  });

  test('[C10] controls, invitations, side channels and forks', async () => {
    const { ok } = await open();
    await ok('threads', 'new', 'Garden');
    await ok('invite', 'Garden', 'alpha', '--role', 'reviewer', '--nickname', 'Al');
    for (const words of [
      ['mute', 'alpha', '--soft'],
      ['pause', 'on'],
      ['pause', 'off'],
      ['ttl_seconds', '600'],
      ['discussion', 'on', 'allow_agent_mentions=false'],
      ['policy', 'large', 'hops=3'],
      ['budget', 'tokens=1000', 'money=2.5'],
      ['prod', 'alpha'],
      ['--content', '{"unmute":{"targets":["alpha"]}}'],
    ]) {
      await ok('control', 'Garden', ...words);
    }
    const { participants } = (await ok('who', 'Garden', '--json')).json;
    expect(participants).toContainEqual({
      id: 'alpha',
      invited: true,
      muted: null,
      profile: { roles: ['reviewer'], nickname: 'Al' },
    });
    const side = (await ok('side', 'open', 'Garden', 'Which', 'beans?', '--with', 'alpha', '--json')).json.thread;
    await ok('side', 'close', side.id, 'Runner beans.');
    const fork = (await ok('threads', 'fork', 'Garden', '--at', '2', '--title', 'Another way', '--json')).json.thread;
    expect(fork.forked_from.seq).toBe(2);
    expect((await ok('read', 'Garden')).out).toMatch(/closed the side channel \w+: Runner beans\./);
    expect((await ok('threads')).out).toMatch(/conversation {2}human, .*Which beans\? \(done, side channel\)/);
  });

  test('[C3] tokens act as their participant, are listed without their secret, and end when revoked', async () => {
    const { ok, run } = await open();
    await ok('threads', 'new', 'Garden', '--invite', 'alpha');
    expect((await ok('token')).out).toMatch(/^hdl_\S{43}\n$/);
    const token = (await ok('token', '--participant', 'alpha')).out.trim();
    const env = { HEDDLE_TOKEN: token };
    expect((await run(['post', 'Garden', 'hello', '--as', 'alpha', '--json'], { env })).json.event.from).toBe('alpha');
    expect(await run(['post', 'Garden', 'hello', '--as', 'beta'], { env })).toMatchObject({
      code: 3,
      err: expect.stringContaining('the token of alpha, not of beta'),
    });
    const forbidden = await run(['control', 'Garden', 'pause', '--json'], { env });
    expect(forbidden.code).toBe(3);
    expect(JSON.parse(forbidden.err).error).toMatchObject({ code: 'forbidden', participant: 'alpha' });
    await ok('control', 'Garden', 'mute', 'alpha');
    const muted = await run(['post', 'Garden', 'hello', '--json'], { env });
    expect([muted.code, JSON.parse(muted.err).error.code]).toEqual([3, 'participant_muted']);

    const { out, json } = await ok('token', '--list', '--json');
    expect(out).not.toContain('hdl_');
    const { id } = json.credentials.find((each: { participant: string }) => each.participant === 'alpha');
    await ok('token', '--revoke', id);
    expect(await run(['post', 'Garden', 'hello'], { env })).toMatchObject({
      code: 3,
      err: expect.stringContaining('revoked'),
    });
    expect((await run(['token', '--participant', 'human', '--kind', 'agent'])).code).toBe(3);
  });
});

test('[C3] a token printed again is the same, and a list does not grow; a revoked one is replaced', async () => {
  const { ok, run, serve, path } = newWorkspace();
  const printed = async (...words: string[]) => (await ok('token', '--participant', 'alpha', ...words)).out.trim();
  const listed = async () =>
    (await ok('token', '--list', '--json')).json.credentials as { id: string; participant: string }[];
  const first = await printed();
  expect(statSync(join(path, 'token-key')).mode & 0o777).toBe(0o600);
  await serve();
  expect(await printed()).toBe(first);
  expect(await listed()).toHaveLength(2);
  const second = await printed('--new');
  expect([second === first, await printed()]).toEqual([false, second]);
  for (const { id } of (await listed()).filter(({ participant }) => participant === 'alpha'))
    await ok('token', '--revoke', id);
  expect([first, second]).not.toContain(await printed());
  expect((await run(['token', '--new'])).err).toContain('heddle token --participant ID --new');
});

test('[C3] a wrong HEDDLE_TOKEN is refused by commands that read, with a server and without one', async () => {
  const { ok, run, serve } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const env = { HEDDLE_TOKEN: 'wrong' };
  const file = join(newDirectory(), 'garden.jsonl');
  const commands = [
    ...[['threads'], ['read', 'Garden'], ['tail', 'Garden'], ['search', 'beans'], ['who', 'Garden']],
    ...[['export', 'Garden', '-o', file], ['verify'], ['post', 'Garden', 'hello']],
  ];
  const refused = async (words: string[]) => {
    const { code, err, out } = await run([...words, '--json'], { env });
    expect([words, code, out, JSON.parse(err).error.code]).toEqual([words, 3, '', 'unauthenticated']);
  };
  for (const words of commands) await refused(words);
  const mind = await run(['open'], { env, program: 'mind' });
  expect([mind.code, mind.err]).toEqual([3, expect.stringContaining('is unknown or was revoked')]);
  await serve();
  await refused(['read', 'Garden']);
});

test('[C3] a sign-in link needs a running server', async () => {
  const { serve, run, ok } = newWorkspace();
  expect(await run(['token', '--link'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('No server is running'),
  });
  const server = await serve();
  expect((await ok('token', '--link')).out).toMatch(new RegExp(`^${server.url}/signin\\?code=\\S+\n$`));
});

test('[C10] post takes its text from words, a file or standard input', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const file = join(newDirectory(), 'notes.md');
  writeFileSync(file, 'from\n  a file\n');
  await ok('post', 'Garden', '-f', file);
  expect((await run(['post', 'Garden'], { input: 'from a pipe\n' })).code).toBe(0);
  expect((await run(['post', 'Garden', '-'], { input: 'from a dash' })).code).toBe(0);
  const { events } = (await ok('read', 'Garden', '--json')).json;
  expect(events.slice(1).map(({ content }: { content: string }) => content)).toEqual([
    'from\n  a file',
    'from a pipe',
    'from a dash',
  ]);
  expect((await run(['post', 'Garden'], { input: '' })).code).toBe(2);
  expect((await run(['post', 'Garden', 'x', '-f', file])).code).toBe(2);
  expect(await run(['post', 'Garden', '-f', '/no/such/file'])).toMatchObject({
    code: 1,
    err: '/no/such/file: the file does not exist.\n',
  });
});

test('[C10] read goes on behind a cursor or a number, and shows the newest first asked for', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  for (const word of ['one', 'two', 'three']) await ok('post', 'Garden', word);
  const contents = ({ json }: { json: { events: { content: unknown }[] } }) =>
    json.events.map(({ content }) => content);
  const first = await ok('read', 'Garden', '--json', '--after', '1', '-n', '1');
  expect(contents(first)).toEqual(['one']);
  const rest = await ok('read', 'Garden', '--json', '--after', first.json.cursor);
  expect(contents(rest)).toEqual(['two', 'three']);
  expect(rest.json.cursor).toBe(rest.json.head);
  expect(contents(await ok('read', 'Garden', '--json', '-n', '2'))).toEqual(['two', 'three']);
  expect(contents(await ok('read', 'Garden', '--json', '--after', rest.json.head))).toEqual([]);
  const wrong = await run(['read', 'Garden', '--after', 'w1.3', '--json']);
  expect([wrong.code, JSON.parse(wrong.err).error.code]).toEqual([3, 'wrong_cursor']);
});

test('[L10] tail follows through a stop, a kill and a start of the server without gap or duplicate', async () => {
  const { ok, serve, start: begin } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const tail = begin('tail', 'Garden', '--json', '-n', '1');
  const all = begin('tail', '--json', '-n', '100');
  for (const each of [tail, all]) await each.waitForOutput(/thread\.created/);
  const first = await serve();
  await ok('post', 'Garden', 'with the first server');
  await tail.waitForOutput(/with the first server/);
  await first.kill();
  await ok('post', 'Garden', 'without a server');
  const second = await serve();
  await ok('post', 'Garden', 'with the second server');
  await tail.waitForOutput(/with the second server/);
  await all.waitForOutput(/with the second server/);
  await second.stop();
  for (const each of [tail, all]) each.process.kill('SIGINT');
  const seqs = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq);
  expect(await tail.ended).toMatchObject({ code: 0 });
  expect(seqs((await tail.ended).out)).toEqual([1, 2, 3, 4]);
  expect(seqs((await all.ended).out)).toEqual([1, 2, 3, 4]);
});

test('[I3] what others wrote cannot move the cursor, change colours or reverse text, as text or as JSON', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Evil \u001b]0;title\u0007 \u202e name');
  const evil = 'red \u001b[31m bell \u0007 back \b\r over \u009b2J \u202e reversed \u2066';
  expect((await run(['post', 'Evil', evil])).err).not.toMatch(dangerous);
  const thread = (await ok('threads', '--json')).json.threads[0].id;
  await ok('post', thread, evil);
  for (const words of [['read', thread], ['read', thread, '--json'], ['threads'], ['threads', '--json']]) {
    expect((await ok(...words)).out).not.toMatch(dangerous);
  }
  expect((await ok('read', thread)).out).toContain('red ␛[31m bell ␇ back ␈');
  const { events } = (await ok('read', thread, '--json')).json;
  expect(events[1].content).toBe(evil);
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('[I3] every command has help with examples, and no colour where there is no terminal', async () => {
  const help = await start(['--help']).ended;
  expect(help.code).toBe(0);
  for (const command of COMMANDS) {
    expect(help.out).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    const { code, out } = await start([command, '--help']).ended;
    expect([command, code]).toEqual([command, 0]);
    expect(out).toMatch(/Examples:\n {2}/);
    expect(out).toContain('--json');
    expect(out).not.toMatch(dangerous);
  }
});

test('[C6] exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused; errors in sentences, or as JSON', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const cases: [string[], number, string][] = [
    [['read'], 2, 'usage'],
    [['raed', 'Garden'], 2, 'usage'],
    [['read', 'Garden', '--colour'], 2, 'usage'],
    [['read', 'Garden', '-n', 'many'], 2, 'usage'],
    [['control', 'Garden', 'explode'], 2, 'usage'],
    [['control', 'Garden', 'pause', 'maybe'], 2, 'usage'],
    [['completion', 'tcsh'], 2, 'usage'],
    [['read', 'Nowhere'], 3, 'unknown_thread'],
    [['post', '01AAAAAAAAAAAAAAAAAAAAAAAA', 'hello'], 3, 'unknown_thread'],
    [['threads', 'new', ' '], 3, 'malformed'],
    [['invite', 'Garden', 'not+an+id'], 3, 'malformed'],
    [['verify', '--file', '/no/such/file'], 1, 'file'],
    [['import', '/dev/null'], 1, 'bad_file'],
  ];
  for (const [i, [words, code, name]] of cases.entries()) {
    const json = await run([...words, '--json']);
    expect([words, json.code, json.out]).toEqual([words, code, '']);
    expect(JSON.parse(json.err).error).toMatchObject({ code: name, message: expect.stringMatching(/[.?]$/) });
    if (i % 4 !== 0) continue;
    const plain = await run(words);
    expect([words, plain.code, plain.out]).toEqual([words, code, '']);
    expect(plain.err).toMatch(/^["/A-Z].*[.?]\n$/);
  }
  const { err } = await run(['read']);
  expect(err).toContain('"heddle read --help" shows its options.');
});

test('[C6] whoever stops reading, as head does, ends a command without a word', async () => {
  for (const words of [['--help'], ['post', '--help']]) {
    const { process, ended } = start(words);
    process.stdout?.destroy();
    const { code, err } = await ended;
    expect([words, code, err]).toEqual([words, 0, '']);
  }
});

test('[C6] a name that fits several threads is not guessed at', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Twin');
  await ok('threads', 'new', 'Twin');
  const { code, err } = await run(['post', 'Twin', 'hello']);
  expect(code).toBe(2);
  expect(err).toMatch(/matches 2 threads[\s\S]*Twin[\s\S]*Twin/);
});
