import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import type { Embedder } from '../../src/models/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';
import type { ModelEntry } from '../../src/models/registry/schema.ts';
import { human } from './given.ts';

/** What each scripted model says, in order and then from the beginning again. */
export type Scripts = Readonly<Record<string, readonly (string | object)[]>>;

interface Options {
  readonly log?: EventLog;
  readonly embedder?: Embedder;
  /** Tokens the scripted models have room for. */
  readonly context?: number;
  /** Real models beside the scripted ones, as the registry has them. */
  readonly models?: Readonly<Record<string, ModelEntry>>;
}

/** An engine whose minds and auditor are played by scripts: "mind" and "auditor" unless the terms name others. */
export async function exchangeServer(
  scripts: Scripts,
  { log = openMemoryLog(), embedder, models = {}, context = 8192 }: Options = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-exchange-'));
  const scripted = Object.entries(scripts).map(([name, answers]) => {
    const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
    writeFileSync(join(directory, `${name}.json`), JSON.stringify({ loop: true, context, answers: played }));
    return [name, { provider: 'scripted' as const, path: `${name}.json` }] as const;
  });
  const registry = createRegistry({
    settings: () => ({
      models: { ...Object.fromEntries(scripted), ...models },
      clients: {},
      defaults: { mind: 'mind', auditor: 'auditor' },
      budgets: {},
    }),
    directory,
  });
  const secrets = createSecrets(registry.keys);
  const asked = createModels({ log, registry, secrets });
  const vectors = embedder ?? openEmbedder({ cacheDir: join(directory, 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, asked, vectors) });
  engine.startWork();

  async function send(name: Command['name'], input: object): Promise<Event[] | RefusalDetail> {
    const done = await engine.handle(human, { name, input } as Command);
    return isRefusal(done) ? done.refusal : done.events.map(eventOf);
  }

  async function state(thread: string): Promise<Exchange> {
    return modeState('exchange', (await engine.state(thread))?.state as State) as Exchange;
  }

  /** The exchange once something holds: looked at again whenever an event was appended. */
  async function until(thread: string, holds: (state: Exchange) => boolean): Promise<Exchange> {
    for (;;) {
      const changed = engine.tail.waitForChange(thread, 60_000);
      const now = await state(thread);
      if (holds(now)) return now;
      if (!(await changed)) throw new Error(`It never came to that: ${JSON.stringify(now.run)}`);
    }
  }

  return {
    engine,
    models: asked,
    send,
    state,
    until,
    async create(setup: object = {}): Promise<string> {
      const made = await send('create', { title: 'Pool', kind: 'exchange', setup, invite: [] });
      if ('code' in made) throw new Error(made.message);
      return made[0]?.thread as string;
    },
    events: async (thread: string) => (await log.readThread(thread, 0, 100_000)).map(eventOf),
    /** What a model was sent, in order: its messages as text. */
    async sent(event: Event | undefined): Promise<readonly { role: string; content: string }[]> {
      const raw = await asked.calls.raw(event?.meta.blobs?.[0] as string);
      return JSON.parse(raw as string).request.messages;
    },
    async close() {
      await engine.close();
      await asked.close();
      if (!embedder) await vectors.close();
    },
  };
}

export const over = ({ run }: Exchange) => run !== undefined && run.state !== 'running';
export const says = (...thoughts: string[]) => JSON.stringify({ thoughts });
