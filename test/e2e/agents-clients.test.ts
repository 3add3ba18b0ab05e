// The programs people have, as they come from npm, against a model of ours: no key, no network but loopback.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Command } from '../../src/core/workspace.ts';
import type { ClientEntry } from '../../src/models/registry/schema.ts';
import { human } from '../support/domain/given.ts';
import { type FakeVendors, startFakeVendors } from '../support/models/fake-vendors.ts';
import { clientPath, whyNot, withRealClients } from '../support/program/npm-clients.ts';
import {
  type AgentServer,
  hasClosedWakes,
  messagesOf,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
  wakeOutcomes,
} from '../support/servers/agent-server.ts';

if (!withRealClients) process.stderr.write(`${whyNot('claude', 'codex', 'gemini')}\n`);

const PATIENCE = 180_000;
let fake: FakeVendors;
let home: string;
const before = { ...process.env };

beforeAll(async () => {
  if (!withRealClients) return;
  fake = await startFakeVendors();
  home = mkdtempSync(join(tmpdir(), 'heddle-home-'));
  mkdirSync(join(home, '.gemini'));
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.gemini/settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
  writeFileSync(
    join(home, '.codex/config.toml'),
    `model_provider = "fake"\n[model_providers.fake]\nname = "fake"\nbase_url = "${fake.url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n`,
  );
  Object.assign(process.env, {
    HOME: home,
    ANTHROPIC_API_KEY: 'sk-ant-not-a-real-key',
    ANTHROPIC_BASE_URL: fake.url,
    OPENAI_API_KEY: 'sk-not-a-real-key',
    GEMINI_API_KEY: 'AIza-not-a-real-key',
    GOOGLE_GEMINI_BASE_URL: fake.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  });
}, PATIENCE);

afterAll(async () => {
  if (!withRealClients) return;
  await fake.close();
  rmSync(home, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

const CLIENTS: Record<string, () => ClientEntry> = {
  claude: () => ({
    adapter: 'claude',
    command: [clientPath('claude')],
    environment: ['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'],
  }),
  codex: () => ({ adapter: 'codex', command: [clientPath('codex')], model: 'gpt-5' }),
  gemini: () => ({ adapter: 'gemini', command: [clientPath('gemini')] }),
  'gemini by the client protocol': () => ({
    adapter: 'acp',
    command: [clientPath('gemini'), '--acp'],
    environment: ['GEMINI_API_KEY', 'GOOGLE_GEMINI_BASE_URL'],
  }),
};
/** What it stores of a session it cannot load again by the protocol: it then begins anew and is told all of it. */
const FORGETFUL = ['gemini by the client protocol'];

describe.skipIf(!withRealClients).each(Object.keys(CLIENTS))('%s', (name) => {
  let server: AgentServer;
  async function open(more: Partial<Omit<ClientEntry, 'adapter' | 'command'>> = {}) {
    server = await openAgentServer({ clients: { real: { ...clientOf(name), ...more } } });
    onTestFinished(server.close);
    const thread = await threadWith(server.engine, ['alpha', { client: 'real' }], ['beta', { client: 'nobody' }]);
    await server.engine.handle(human, control(thread, { mute: { targets: ['alpha'] } }));
    await server.engine.handle(human, control(thread, { unmute: { targets: ['alpha'] } }));
    server.engine.startWork();
    return { engine: server.engine, thread };
  }

  test('[I9] [I10] invited and mentioned it answers in the thread; on the second turn it is resumed', {
    timeout: PATIENCE,
  }, async () => {
    fake.answer(() => 'Beans, I think.');
    const { engine, thread } = await open();
    await engine.handle(human, say(thread, '@alpha, beans or peas?'));
    await waitForEvents(engine, thread, hasClosedWakes(1));
    const asked = fake.requests.length;
    fake.answer(() => 'In May.');
    await engine.handle(human, say(thread, '@alpha, and when?'));
    const events = await waitForEvents(engine, thread, hasClosedWakes(2));
    expect(wakeOutcomes(events)).toMatchObject([
      { outcome: 'answered', usage: { client: 'real', resumed: false } },
      { outcome: 'answered', usage: { client: 'real', resumed: !FORGETFUL.includes(name) } },
    ]);
    expect(messagesOf(events).filter((line) => line.startsWith('alpha'))).toEqual([
      'alpha: Beans, I think.',
      'alpha: In May.',
    ]);
    const bodies = fake.requests.slice(asked).map(({ body }) => body);
    expect(bodies.some((body) => body.includes('beans or peas?') && body.includes('and when?'))).toBe(true);
  });

  test('[I10] killed in the middle of its answer, it has failed and the thread says so', {
    timeout: PATIENCE,
  }, async () => {
    const asked = Promise.withResolvers<void>();
    fake.answer(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const { engine, thread } = await open();
    await engine.handle(human, say(thread, '@alpha, beans or peas?'));
    await asked.promise;
    for (const pid of runningIn(join(server.agents, 'alpha'))) process.kill(pid, 'SIGKILL');
    const [outcome] = wakeOutcomes(await waitForEvents(engine, thread, hasClosedWakes(1)));
    expect(outcome).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/signal|code 137/) });
  });

  test('[I10] over its time it is ended with all it started; stopped, too', { timeout: PATIENCE }, async () => {
    const asked = Promise.withResolvers<void>();
    fake.answer(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const { engine, thread } = await open({ seconds: 10 });
    await engine.handle(human, say(thread, '@alpha, beans or peas?'));
    const [outcome] = wakeOutcomes(await waitForEvents(engine, thread, hasClosedWakes(1)));
    expect(outcome).toMatchObject({ outcome: 'failed', reason: 'It took longer than 10 seconds, so Heddle ended it.' });
    expect(runningIn(join(server.agents, 'alpha'))).toEqual([]);
    await engine.handle(human, say(thread, '@alpha, again?'));
    await asked.promise;
    await engine.handle(human, { name: 'stop_answer', input: { thread, participant: 'alpha' } } as Command);
    await expect.poll(() => runningIn(join(server.agents, 'alpha')), { timeout: 20_000 }).toEqual([]);
  });

  test('[I10] a flood of output is cut or refused', { timeout: PATIENCE }, async () => {
    fake.answer(() => 'spam '.repeat(500_000));
    const { engine, thread } = await open();
    await engine.handle(human, say(thread, '@alpha, beans or peas?'));
    const events = await waitForEvents(engine, thread, hasClosedWakes(1));
    expect(wakeOutcomes(events)).toHaveLength(1);
    for (const line of messagesOf(events)) expect(line.length).toBeLessThan(100_000);
  });
});

/** They were installed where temporary files are, which are hidden from them otherwise. */
function clientOf(name: string): ClientEntry {
  const settings = (CLIENTS[name] as () => ClientEntry)();
  return { ...settings, readable: [dirname(dirname(dirname(settings.command?.[0] ?? '')))] };
}

const control = (thread: string, content: object) =>
  ({ name: 'post', input: { thread, type: 'control', content } }) as Command;

/** Processes that work in a directory. */
function runningIn(directory: string): readonly number[] {
  if (process.platform !== 'linux') {
    const found = execFileSync('lsof', ['-t', '-a', '-d', 'cwd', directory], { encoding: 'utf8' });
    return found.split('\n').filter(Boolean).map(Number);
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readlinkSync(`/proc/${pid}/cwd`) === directory &&
          !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
        );
      } catch {
        return false;
      }
    });
}
