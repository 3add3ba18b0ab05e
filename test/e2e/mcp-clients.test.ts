// The protocol's own programs, as they come from npm: what they say of our server.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { tools } from '../../src/mcp/tools.ts';
import { entryOf, newWorkspace } from '../support/program/heddle.ts';
import { clientPath, whyNot, withRealClients } from '../support/program/npm-clients.ts';
import { startAuthorizingProxy } from '../support/servers/authorizing-proxy.ts';

vi.setConfig({ testTimeout: 300_000 });
if (!withRealClients) process.stderr.write(`${whyNot('mcp-inspector', 'conformance')}\n`);

const run = promisify(execFile);

async function open() {
  const workspace = newWorkspace();
  const { url } = await workspace.serve();
  const token = (await workspace.ok('token', '--participant', 'alpha')).out.trim();
  return { ...workspace, url, token };
}

describe.skipIf(!withRealClients)('the inspector', () => {
  // The header first: the program takes every word after it for another one, up to an option.
  const byHttp = ({ url, token }: Opened) => [
    '--header',
    `Authorization: Bearer ${token}`,
    '--transport',
    'http',
    `${url}/mcp`,
  ];
  const byStdio = ({ path, token }: Opened) => [
    '-e',
    `HEDDLE_TOKEN=${token}`,
    '--',
    process.execPath,
    entryOf('heddle'),
    'mcp',
    '--workspace',
    path,
  ];
  type Opened = Awaited<ReturnType<typeof open>>;

  async function inspect(words: readonly string[], target: readonly string[]) {
    const { stdout } = await run(process.execPath, [clientPath('mcp-inspector'), '--cli', ...words, ...target]);
    return JSON.parse(stdout);
  }

  test.each([
    ['HTTP', byHttp],
    ['standard input and output', byStdio],
  ])('[I9] lists and calls every tool over %s', async (_, target) => {
    const opened = await open();
    const to = target(opened);
    const listed = await inspect(['--method', 'tools/list'], to);
    expect(listed.tools.map(({ name }: { name: string }) => name)).toEqual(Object.keys(tools));
    const called = new Set<string>();
    async function call(name: string, input: Record<string, unknown> = {}) {
      called.add(name);
      const pairs = Object.entries(input).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const words = ['--method', 'tools/call', '--tool-name', name, ...pairs.flatMap((pair) => ['--tool-arg', pair])];
      const { content, isError } = await inspect(words, to);
      expect(isError, `${name}: ${content[0].text}`).not.toBe(true);
      return JSON.parse(content[0].text);
    }
    const { thread } = await call('thread_create', { title: 'Garden', invite: ['beta'] });
    const { cursor } = await call('join', { thread });
    await call('post', { thread, text: 'A heron stands in the reeds.' });
    expect((await call('wait', { thread, after: cursor, seconds: 0 })).cursor).not.toBe(cursor);
    expect((await call('read', { thread })).events.length).toBeGreaterThan(0);
    expect((await call('search', { thread, words: 'heron' })).found).toHaveLength(1);
    for (const name of ['thread_list', 'who', 'drafts']) await call(name, name === 'thread_list' ? {} : { thread });
    await call('presence', { thread, state: 'thinking' });
    await call('invite', { thread, participant: 'gamma' });
    await call('control', { thread, control: { prod: ['beta'] } });
    const side = await call('side_open', { thread, question: 'Which reeds?', members: ['beta'] });
    await call('side_close', { thread: side.thread, summary: 'The tall ones.' });
    await call('draft', { thread, text: 'A draft.' });
    const loom = (await opened.ok('loom', 'new', 'Tale', 'Once', '--json')).json;
    const tale = loom.thread?.id ?? loom.thread ?? loom.id;
    await call('loom_continue', { thread: tale, text: ' upon a time' });
    expect((await call('loom_read', { thread: tale })).text).toContain('upon a time');
    expect([...called].sort()).toEqual(Object.keys(tools).sort());
  });

  test.each(['legacy', 'modern'])('[I9] both eras of the protocol: %s', async (era) => {
    const opened = await open();
    const listed = await inspect(['--method', 'tools/list', '--protocol-era', era], byHttp(opened));
    expect(listed.tools).toHaveLength(Object.keys(tools).length);
  });
});

/** Scenarios of the suite that ask for a server made for the suite, or for what Heddle does not offer; with the reason. */
const NOT_OURS: Record<string, string> = {
  'logging-set-level': 'Heddle sends no log messages by the protocol',
  'completion-complete': 'Heddle offers no completion of arguments',
  'resources-subscribe': 'resources are read, news come by `wait`',
  'resources-unsubscribe': 'resources are read, news come by `wait`',
  'tools-call-sampling': 'Heddle asks nothing of the client’s model',
  'tools-call-elicitation': 'Heddle asks nothing of the client’s person',
  'elicitation-sep1034-defaults': 'Heddle asks nothing of the client’s person',
  'elicitation-sep1330-enums': 'Heddle asks nothing of the client’s person',
  ...Object.fromEntries(
    [
      'simple-text',
      'image',
      'audio',
      'embedded-resource',
      'mixed-content',
      'with-logging',
      'error',
      'with-progress',
    ].map((name) => [`tools-call-${name}`, 'calls a tool that only the suite’s own server has']),
  ),
  'json-schema-2020-12': 'looks at a tool that only the suite’s own server has',
  'resources-read-text': 'reads a resource that only the suite’s own server has',
  'resources-read-binary': 'reads a resource that only the suite’s own server has',
  'resources-templates-read': 'reads a resource that only the suite’s own server has',
  'prompts-get-simple': 'gets a prompt that only the suite’s own server has',
  'prompts-get-with-args': 'gets a prompt that only the suite’s own server has',
  'prompts-get-embedded-resource': 'gets a prompt that only the suite’s own server has',
  'prompts-get-with-image': 'gets a prompt that only the suite’s own server has',
};

test.skipIf(!withRealClients)(
  '[I9] [I17] the conformance suite: all that needs no server of its own passes, DNS rebinding too',
  async () => {
    const { url, token } = await open();
    const proxy = await startAuthorizingProxy(url, token);
    onTestFinished(proxy.close);
    const words = ['server', '--url', `${proxy.url}/mcp`, '--suite', 'all'];
    const told = await run(process.execPath, [clientPath('conformance'), ...words]).catch((failed) => failed);
    const results = [...String(told.stdout).matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$/gmu)];
    expect(results.length).toBeGreaterThan(25);
    const failed = results.filter(([, , , , failures]) => failures !== '0').map(([, , name]) => name as string);
    expect(failed.filter((name) => !(name in NOT_OURS))).toEqual([]);
    const passed = results.filter(([, , , passes]) => passes !== '0').map(([, , name]) => name as string);
    expect(passed).toEqual(
      expect.arrayContaining([
        'server-initialize',
        'ping',
        'tools-list',
        'resources-list',
        'prompts-list',
        'dns-rebinding-protection',
      ]),
    );
  },
);
