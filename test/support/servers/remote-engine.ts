import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialogue } from '../../../src/core/dialogue/state.ts';
import type { Exchange } from '../../../src/core/exchange/state.ts';
import type { Command } from '../../../src/core/workspace.ts';
import { createModels } from '../../../src/engine/calls/models.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createPerformers } from '../../../src/engine/performers.ts';
import { createSecrets } from '../../../src/engine/secrets.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { openMemoryLog } from '../../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../../src/models/registry/registry.ts';
import type { ModelEntry, RegistrySettings } from '../../../src/models/registry/schema.ts';
import { createRemoteModel } from '../../../src/models/remote/remote.ts';
import type { BreakerOptions } from '../../../src/models/resilience/breaker.ts';
import { realTime } from '../../../src/models/resilience/time.ts';
import type { createNight } from '../models/night.ts';
import { createThread, readEvents, readMode, send, waitFor } from './engine-access.ts';

interface Options {
  readonly provider?: 'openai-chat' | 'anthropic';
  readonly price?: { readonly input: number; readonly output: number };
  readonly budgets?: RegistrySettings['budgets'];
  /** Everything goes by this clock; the real one unless given. */
  readonly night?: ReturnType<typeof createNight>;
  readonly retries?: number;
  readonly breaker?: BreakerOptions;
  readonly log?: EventLog;
  /** Models beside "far" at the same server, which it knows by these names. */
  readonly others?: readonly string[];
}

/** An engine whose minds, auditor, agents and looms are one model at a server on a socket. */
export async function openRemoteEngine(baseUrl: string, options: Options = {}) {
  const { provider = 'openai-chat', price, budgets = {}, night, retries = 2, breaker, others = [] } = options;
  const now = night?.now ?? Date.now;
  const { log = openMemoryLog(now) } = options;
  const entry = { provider, model: 'big', base_url: baseUrl, ...(price && { price }) } as ModelEntry;
  const registry = createRegistry({
    settings: () => ({
      models: { far: entry, ...Object.fromEntries(others.map((name) => [name, { ...entry, model: name }])) },
      clients: {},
      defaults: { mind: 'far', auditor: 'far', loom: 'far' },
      budgets,
    }),
    open: async (id) =>
      createRemoteModel(
        { id, provider, model: id === 'far' ? 'big' : id, baseUrl, context: 16_384 },
        { retries, ...(night?.models ?? realTime), ...(breaker && { breaker }) },
      ),
  });
  const secrets = createSecrets(registry.keys);
  const models = createModels({ log, registry, secrets, now });
  const embedder = openEmbedder({ cacheDir: join(mkdtempSync(join(tmpdir(), 'heddle-remote-')), 'no-weights') });
  const time = night?.time ?? realTime;
  const faults: unknown[] = [];
  const work = createPerformers(log, models, embedder, undefined, time);
  const engine = await createEngine({ log, secrets, now, time, ...work, report: (fault) => faults.push(fault) });
  engine.startWork();

  return {
    engine,
    models,
    /** What jobs failed with that nobody else heard of. */
    faults,
    send: (name: Command['name'], input: object) => send(engine, name, input),
    dialogue: (thread: string) => readMode<Dialogue>(engine, 'dialogue', thread),
    exchange: (thread: string) => readMode<Exchange>(engine, 'exchange', thread),
    events: (thread: string) => readEvents(engine, thread),
    /** In a conversation, "wise" is there to answer. */
    create(kind: 'dialogue' | 'exchange' | 'loom' | 'conversation', setup: object = {}): Promise<string> {
      const wise = { participant_id: 'wise', profile: { kind: 'agent', client: 'model', model: 'far' } };
      const isTalk = kind === 'conversation';
      return createThread(engine, { title: 'Talk', kind, ...(isTalk ? { invite: [wise] } : { setup }) });
    },
    until: (thread: string, holds: () => Promise<boolean>) => waitFor(engine, thread, holds, (held) => held),
    async close() {
      await engine.close();
      await models.close();
      await embedder.close();
    },
  };
}
