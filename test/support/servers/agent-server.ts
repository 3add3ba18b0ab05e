import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from '../../../src/core/agent-limits.ts';
import type { Event } from '../../../src/core/events/event.ts';
import type { Command } from '../../../src/core/workspace.ts';
import type { createModels } from '../../../src/engine/calls/models.ts';
import { createEngine, type Engine } from '../../../src/engine/engine.ts';
import { createPerformers } from '../../../src/engine/performers.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { openMemoryLog } from '../../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../../src/models/builtin/embedder/embedder.ts';
import type { ClientEntry, RegistrySettings } from '../../../src/models/registry/schema.ts';
import { createThread, readEvents, waitFor } from './engine-access.ts';
import { openScriptedModels } from './scripted-models.ts';

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
  const { directory, models, secrets, remove } = openScriptedModels(log, scripts, { models: others, clients, budgets });
  const agents = join(directory, 'agents');
  mkdirSync(agents);
  // The workspace's own files are beside them: agents see their directory and nothing around it.
  const place = { directory: agents, hidden: [directory] };
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
      remove();
    },
  };
}

/** A conversation with these agents in it. */
export function threadWith(engine: Engine, ...agents: readonly [id: string, profile: object][]): Promise<string> {
  const invite = agents.map(([participant_id, profile]) => ({
    participant_id,
    profile: { kind: 'agent', ...profile },
  }));
  return createThread(engine, { title: 'Plans', kind: 'conversation', invite });
}

export function say(thread: string, content: string, more: object = {}): Command {
  return { name: 'post', input: { thread, type: 'message', content, ...more } };
}

export function waitForEvents(engine: Engine, thread: string, holds: (events: readonly Event[]) => boolean) {
  return waitFor(engine, thread, () => readEvents(engine, thread), holds);
}

/** Until nobody is asked to answer any more. */
export async function waitForQuiet(engine: Engine, thread: string): Promise<void> {
  const read = async () => Object.keys((await engine.state(thread))?.state.thread.routing.wakes ?? {});
  await waitFor(engine, thread, read, (wakes) => wakes.length === 0);
}

export const hasClosedWakes = (count: number) => (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'wake.closed').length >= count;

export const messagesOf = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'message').map(({ from, content }) => `${from}: ${content}`);

export const wakeOutcomes = (events: readonly Event[]) =>
  events.filter(({ type }) => type === 'wake.closed').map(({ content }) => content);

/** Presence is live news: it is heard, not read. */
export function waitForPresence(engine: Engine, thread: string, state: string): Promise<void> {
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
