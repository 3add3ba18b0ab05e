import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from '../../src/core/agent-limits.ts';
import type { Event } from '../../src/core/events/event.ts';
import { isRefusal } from '../../src/core/refusal.ts';
import type { Command } from '../../src/core/workspace.ts';
import { createModels } from '../../src/engine/calls/models.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { createPerformers } from '../../src/engine/performers.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { type EventLog, eventOf } from '../../src/log/event-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';
import type { ClientEntry, RegistrySettings } from '../../src/models/registry/schema.ts';
import { human } from './given.ts';

export interface AgentServer {
  readonly engine: Engine;
  readonly models: ReturnType<typeof createModels>;
  /** Where its command-line agents work. */
  readonly agents: string;
  close(): Promise<void>;
}

export interface AgentServerOptions {
  /** Scripted models, by name. */
  readonly scripts?: Readonly<Record<string, object>>;
  /** Others beside them. */
  readonly models?: RegistrySettings['models'];
  readonly clients?: Readonly<Record<string, ClientEntry>>;
  readonly budgets?: RegistrySettings['budgets'];
  readonly log?: EventLog;
  readonly agentLimits?: Partial<AgentLimits>;
}

/** An engine whose agents are scripted models and programs. Its work is not started yet. */
export async function openAgentServer({
  scripts = {},
  models: others = {},
  clients = {},
  budgets = {},
  log = openMemoryLog(),
  agentLimits = {},
}: AgentServerOptions = {}): Promise<AgentServer> {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-agents-'));
  const agents = join(directory, 'agents');
  mkdirSync(agents);
  const entries = Object.entries(scripts).map(([name, script]) => {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(script));
    return [name, { provider: 'scripted' as const, path: `${name}.json` }] as const;
  });
  const settings: RegistrySettings = {
    models: { ...Object.fromEntries(entries), ...others },
    clients,
    defaults: {},
    budgets,
  };
  // The workspace's own files are beside them: agents see their directory and nothing around it.
  const place = { directory: agents, hidden: [directory] };
  const registry = createRegistry({ settings: () => settings, directory });
  const secrets = createSecrets(registry.keys);
  const models = createModels({ log, registry, secrets });
  const engine = await createEngine({
    log,
    secrets,
    agentLimits: () => ({ ...DEFAULT_AGENT_LIMITS, ...agentLimits }),
    ...createPerformers(log, models, openEmbedder(), place),
  });
  return {
    engine,
    models,
    agents,
    async close() {
      await engine.close();
      await models.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A conversation with these agents in it. */
export async function threadWith(engine: Engine, ...agents: readonly [id: string, profile: object][]): Promise<string> {
  const invite = agents.map(([participant_id, profile]) => ({
    participant_id,
    profile: { kind: 'agent' as const, ...profile },
  }));
  const done = await engine.handle(human, { name: 'create', input: { title: 'Plans', kind: 'conversation', invite } });
  if (isRefusal(done)) throw new Error(done.refusal.message);
  return done.events[0]?.thread as string;
}

export function say(thread: string, content: string, more: object = {}): Command {
  return { name: 'post', input: { thread, type: 'message', content, ...more } };
}

/** Looks again whenever something was appended, until it holds. */
export async function until(engine: Engine, thread: string, holds: (events: readonly Event[]) => boolean) {
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 60_000);
    const events = await eventsOf(engine, thread);
    if (holds(events)) return events;
    await changed;
  }
}

export async function eventsOf(engine: Engine, thread: string): Promise<readonly Event[]> {
  const all: Event[] = [];
  for (;;) {
    const page = await engine.log.readThread(thread, all.at(-1)?.seq ?? 0, 1000);
    if (page.length === 0) return all;
    all.push(...page.map(eventOf));
  }
}

export const closed = (count: number) => (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'wake.closed').length >= count;

export const spoken = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'message').map(({ from, content }) => `${from}: ${content}`);

export const outcomes = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'wake.closed').map(({ content }) => content);

/** Presence is live news: it is heard, not read. */
export function shows(engine: Engine, thread: string, state: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = engine.tail.subscribe({
      thread,
      after: Number.MAX_SAFE_INTEGER,
      onEvents: () => {},
      onLive: ({ type, content }) => {
        if (type !== 'presence.updated' || (content as { state: string }).state !== state) return;
        stop();
        resolve();
      },
      ready: async () => {},
      onError: () => {},
    });
    if (engine.presence.of(thread).some((entry) => entry.state === state)) {
      stop();
      resolve();
    }
  });
}
