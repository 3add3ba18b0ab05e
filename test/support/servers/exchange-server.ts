import { join } from 'node:path';
import type { Event } from '../../../src/core/events/event.ts';
import type { Exchange } from '../../../src/core/exchange/state.ts';
import type { Command } from '../../../src/core/workspace.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createPerformers } from '../../../src/engine/performers.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { openMemoryLog } from '../../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../../src/models/builtin/embedder/embedder.ts';
import type { Embedder } from '../../../src/models/embedder.ts';
import type { ModelEntry } from '../../../src/models/registry/schema.ts';
import { createThread, readEvents, readMode, send, waitFor } from './engine-access.ts';
import { openScriptedModels, scriptOf } from './scripted-models.ts';

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
export async function openExchangeServer(
  scripts: Scripts,
  { log = openMemoryLog(), embedder, models: others = {}, context = 8192 }: Options = {},
) {
  const played = Object.entries(scripts).map(([name, answers]) => [name, scriptOf(answers, { loop: true, context })]);
  const { directory, models, secrets } = openScriptedModels(log, Object.fromEntries(played), {
    models: others,
    defaults: { mind: 'mind', auditor: 'auditor' },
  });
  const vectors = embedder ?? openEmbedder({ cacheDir: join(directory, 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, models, vectors) });
  engine.startWork();
  const state = (thread: string) => readMode<Exchange>(engine, 'exchange', thread);

  return {
    engine,
    models,
    send: (name: Command['name'], input: object) => send(engine, name, input),
    state,
    until: (thread: string, holds: (state: Exchange) => boolean) => waitFor(engine, thread, () => state(thread), holds),
    create: (setup: object = {}) => createThread(engine, { title: 'Pool', kind: 'exchange', setup }),
    events: (thread: string) => readEvents(engine, thread),
    /** What a model was sent, in order: its messages as text. */
    async sent(event: Event | undefined): Promise<readonly { role: string; content: string }[]> {
      const raw = await models.calls.raw(event?.meta.blobs?.[0] as string);
      return JSON.parse(raw as string).request.messages;
    },
    async close() {
      await engine.close();
      await models.close();
      if (!embedder) await vectors.close();
    },
  };
}

export const thoughtsJson = (...thoughts: string[]) => JSON.stringify({ thoughts });
