import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { human } from '../../../test/support/domain/given.ts';
import {
  type AgentServerOptions,
  hasClosedWakes,
  messagesOf,
  openAgentServer,
  say,
  threadWith,
  waitForEvents,
  waitForPresence,
  wakeOutcomes,
} from '../../../test/support/servers/agent-server.ts';
import { readEvents } from '../../../test/support/servers/engine-access.ts';
import type { Command } from '../../core/workspace.ts';
import type { ClientEntry } from '../../models/registry/schema.ts';

/** A program of ours, as a client of the given kind. */
function client(text: string, more: Partial<ClientEntry> = {}): ClientEntry {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-client-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  // Nothing is made in the home directory of whoever runs the tests.
  vi.stubEnv('CLAUDE_CONFIG_DIR', directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = join(directory, 'agent.mjs');
  writeFileSync(file, text);
  return { adapter: 'command', command: [process.execPath, file], ...more };
}

async function open(options: AgentServerOptions) {
  const server = await openAgentServer(options);
  onTestFinished(server.close);
  return server;
}

const control = (thread: string, content: object) =>
  ({ name: 'post', input: { thread, type: 'control', content } }) as Command;
const HEARD = `let text = ''; for await (const chunk of process.stdin) text += chunk;`;

test('[I10] [T18] a command-line agent answers in the thread from its own directory', async () => {
  const echo = client(
    `${HEARD} console.log(JSON.parse(text).prompt.match(/\\| (.*)/)?.[1] ?? 'PASS', process.cwd().split('/').slice(-2).join('/'));`,
  );
  const { engine } = await open({ clients: { echo } });
  const thread = await threadWith(engine, ['alpha', { client: 'echo' }]);
  await engine.handle(human, say(thread, 'Beans or peas?'));
  engine.startWork();
  const events = await waitForEvents(engine, thread, hasClosedWakes(1));
  expect(messagesOf(events)).toEqual(['ana: Beans or peas?', 'alpha: Beans or peas? agents/alpha']);
  expect(wakeOutcomes(events)).toMatchObject([{ outcome: 'answered', usage: { client: 'echo', resumed: false } }]);
});

test('[M13] an agent that reports no usage, or an absurd one, is counted by the bytes of its prompt and answer', async () => {
  const answer = 'Beans. '.repeat(30).trim();
  const bragging = client(
    `console.log(JSON.stringify({ type: 'result', is_error: false, result: ${JSON.stringify(answer)},
      total_cost_usd: 900000000, usage: { input_tokens: 900000000, output_tokens: 900000000 } }));`,
    { adapter: 'claude' },
  );
  const silent = client(`console.log(${JSON.stringify(answer)})`);
  const { engine, models } = await open({ clients: { bragging, silent } });
  engine.startWork();
  for (const name of ['bragging', 'silent']) {
    const thread = await threadWith(engine, ['alpha', { client: name }]);
    const [outcome] = wakeOutcomes(await waitForEvents(engine, thread, hasClosedWakes(1)));
    const generated_tokens = Math.ceil(answer.length / 3);
    expect(outcome).toMatchObject({ outcome: 'answered', usage: { client: name, generated_tokens, estimated: true } });
    const { promptTokens, generatedTokens, cost } = await models.usage.of('thread', thread);
    expect([generatedTokens, cost]).toEqual([generated_tokens, 0]);
    expect(promptTokens).toBeGreaterThan(50);
    expect(promptTokens).toBeLessThan(5_000);
  }
});

/** Speaks as the claude program does, and keeps its sessions as it does. */
const CLAUDE = `
  import { existsSync, writeFileSync } from 'node:fs';
  ${HEARD}
  const resumed = process.argv[process.argv.indexOf('--resume') + 1];
  const session = process.argv.includes('--resume') ? resumed : 'one';
  if (process.argv.includes('--resume') && !existsSync(session)) {
    console.error('No conversation found with session ID: ' + session);
    process.exit(1);
  }
  writeFileSync(session, '');
  const said = [...text.matchAll(/^\\| (.*)/gm)].map(([, line]) => line).join(' / ');
  console.log(JSON.stringify({ type: 'result', is_error: false, result: 'Heard: ' + said, session_id: session,
    total_cost_usd: 0.25, usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 7 } }));
`;

test('[I10] an agent’s session is resumed per thread with the unread messages, and the reply says fresh or resumed', async () => {
  const { engine, models, agents } = await open({ clients: { claude: client(CLAUDE, { adapter: 'claude' }) } });
  const thread = await threadWith(engine, ['alpha', { client: 'claude' }]);
  await engine.handle(human, say(thread, 'one'));
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  await engine.handle(human, say(thread, 'two'));
  let events = await waitForEvents(engine, thread, hasClosedWakes(2));
  expect(messagesOf(events)).toEqual(['ana: one', 'alpha: Heard: one', 'ana: two', 'alpha: Heard: two']);
  const used = { client: 'claude', prompt_tokens: 15, generated_tokens: 7, cost: 0.25 };
  expect(wakeOutcomes(events)).toMatchObject([
    { usage: { ...used, resumed: false } },
    { usage: { ...used, resumed: true } },
  ]);
  expect(await models.usage.of('thread', thread)).toMatchObject({ calls: 2, promptTokens: 30, cost: 0.5 });

  // In another thread it begins anew; and here, too, when it has forgotten.
  const other = await threadWith(engine, ['alpha', { client: 'claude' }]);
  expect(wakeOutcomes(await waitForEvents(engine, other, hasClosedWakes(1)))).toMatchObject([
    { usage: { resumed: false } },
  ]);
  rmSync(join(agents, 'alpha', 'one'));
  await engine.handle(human, say(thread, 'three'));
  events = await waitForEvents(engine, thread, hasClosedWakes(3));
  expect(messagesOf(events).at(-1)).toBe('alpha: Heard: one / Heard: one / two / Heard: two / three');
  expect(wakeOutcomes(events).at(-1)).toMatchObject({ outcome: 'answered', usage: { resumed: false } });
});

test('[I10] [M7] no agent is started once a budget is used up, and the reason says who can raise it', async () => {
  const { engine } = await open({
    clients: { claude: client(CLAUDE, { adapter: 'claude' }) },
    budgets: { thread: { money: 0.25 } },
  });
  const thread = await threadWith(engine, ['alpha', { client: 'claude' }]);
  engine.startWork();
  await waitForEvents(engine, thread, hasClosedWakes(1));
  await engine.handle(human, say(thread, 'And now?'));
  const [, second] = wakeOutcomes(await waitForEvents(engine, thread, hasClosedWakes(2)));
  expect(second).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('The budget of this thread is used up'),
  });
});

test('[I10] an agent that exceeds its time has failed, and the thread is told', async () => {
  const { engine } = await open({ clients: { slow: client('setInterval(() => {}, 1000)', { seconds: 0.2 }) } });
  const thread = await threadWith(engine, ['alpha', { client: 'slow' }]);
  engine.startWork();
  const [outcome] = wakeOutcomes(await waitForEvents(engine, thread, hasClosedWakes(1)));
  expect(outcome).toMatchObject({ outcome: 'failed', reason: 'It took longer than 0.2 seconds, so Heddle ended it.' });
});

test('[I10] [L17] an agent’s key never appears in its messages or in the reason for a failure', async () => {
  process.env.TEST_AGENT_KEY = 'a-key-of-many-letters';
  onTestFinished(() => void delete process.env.TEST_AGENT_KEY);
  const environment = ['TEST_AGENT_KEY'];
  const clients = {
    telling: client('console.log("It is", process.env.TEST_AGENT_KEY)', { environment }),
    failing: client('console.error(process.env.TEST_AGENT_KEY); process.exit(1)', { environment }),
  };
  const { engine } = await open({ clients });
  const thread = await threadWith(engine, ['alpha', { client: 'telling' }], ['beta', { client: 'failing' }]);
  engine.startWork();
  const events = await waitForEvents(engine, thread, hasClosedWakes(2));
  expect(messagesOf(events)).toEqual(['alpha: It is [removed]']);
  expect(JSON.stringify(events)).not.toContain('a-key-of-many');
});

test('[T7] [I10] muting an agent stops its program; pausing does too, and afterwards it is asked again', async () => {
  const once = `import { existsSync, writeFileSync } from 'node:fs';
    if (existsSync('asked')) console.log('Now.');
    else { writeFileSync('asked', ''); setInterval(() => {}, 1000); }`;
  const { engine, agents } = await open({ clients: { once: client(once) } });
  const thread = await threadWith(engine, ['alpha', { client: 'once' }]);
  engine.startWork();
  await waitForStart(agents, 'alpha');
  await engine.handle(human, control(thread, { pause: { on: true } }));
  await waitForPresence(engine, thread, 'listening');
  await engine.handle(human, control(thread, { pause: { on: false } }));
  expect(messagesOf(await waitForEvents(engine, thread, hasClosedWakes(1)))).toEqual(['alpha: Now.']);

  const muted = await threadWith(engine, ['beta', { client: 'once' }]);
  await waitForStart(agents, 'beta');
  await engine.handle(human, control(muted, { mute: { targets: ['beta'] } }));
  await waitForPresence(engine, muted, 'listening');
  expect(messagesOf(await readEvents(engine, muted))).toEqual([]);
});

async function waitForStart(agents: string, id: string) {
  await expect.poll(() => existsSync(join(agents, id, 'asked')), { timeout: 20_000 }).toBe(true);
}
