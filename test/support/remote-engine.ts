import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialogue } from '../../src/core/dialogue/state.ts';
import type { Event } from '../../src/core/events/event.ts';
import type { Exchange } from '../../src/core/exchange/state.ts';
import { isRefusal, type RefusalDetail } from '../../src/core/refusal.ts';
import { type Command, modeState, type State } from '../../src/core/workspace.ts';
import { createModels } from '../../src/engine/calls/models.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { createPerformers } from '../../src/engine/performers.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { type EventLog, eventOf } from '../../src/log/event-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';
import type { ModelEntry, RegistrySettings } from '../../src/models/registry/schema.ts';
import { createRemoteModel } from '../../src/models/remote/remote.ts';
import type { BreakerOptions } from '../../src/models/resilience/breaker.ts';
import { realTime } from '../../src/models/resilience/time.ts';
import { human } from './given.ts';
import type { createNight } from './night.ts';

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
export async function remoteEngine(baseUrl: string, options: Options = {}) {
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

  async function send(name: Command['name'], input: object): Promise<Event[] | RefusalDetail> {
    const done = await engine.handle(human, { name, input } as Command);
    return isRefusal(done) ? done.refusal : done.events.map(eventOf);
  }

  async function stateOf(thread: string): Promise<State> {
    return (await engine.state(thread))?.state as State;
  }

  return {
    engine,
    models,
    /** What jobs failed with that nobody else heard of. */
    faults,
    send,
    dialogue: async (thread: string) => modeState('dialogue', await stateOf(thread)) as Dialogue,
    exchange: async (thread: string) => modeState('exchange', await stateOf(thread)) as Exchange,
    events: async (thread: string) => (await log.readThread(thread, 0, 100_000)).map(eventOf),
    /** In a conversation, "wise" is there to answer. */
    async create(kind: 'dialogue' | 'exchange' | 'loom' | 'conversation', setup: object = {}): Promise<string> {
      const wise = { participant_id: 'wise', profile: { kind: 'agent', client: 'model', model: 'far' } };
      const isTalk = kind === 'conversation';
      const input = { title: 'Talk', kind, ...(!isTalk && { setup }), invite: isTalk ? [wise] : [] };
      const made = await send('create', input);
      if ('code' in made) throw new Error(made.message);
      return made[0]?.thread as string;
    },
    /** Once something holds: looked at again whenever an event was appended. */
    async until(thread: string, holds: () => Promise<boolean>): Promise<void> {
      for (;;) {
        const changed = engine.tail.waitForChange(thread, 30_000);
        if (await holds()) return;
        if (!(await changed)) throw new Error('It never came to that.');
      }
    },
    async close() {
      await engine.close();
      await models.close();
      await embedder.close();
    },
  };
}
