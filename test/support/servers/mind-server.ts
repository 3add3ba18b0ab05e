import { join } from 'node:path';
import type { Dialogue } from '../../../src/core/dialogue/state.ts';
import type { Command } from '../../../src/core/workspace.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createPerformers } from '../../../src/engine/performers.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { openMemoryLog } from '../../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../../src/models/builtin/embedder/embedder.ts';
import { createThread, readEvents, readMode, send, waitFor } from './engine-access.ts';
import { openScriptedModels, scriptOf } from './scripted-models.ts';

/** An engine whose minds are played by a script: YAML answers in order, or whole answers of a script. */
export async function openMindServer(
  answers: readonly (string | object)[],
  { log = openMemoryLog(), script = {}, work = true }: { log?: EventLog; script?: object; work?: boolean } = {},
) {
  const { directory, models, secrets } = openScriptedModels(
    log,
    { mind: scriptOf(answers, script) },
    { defaults: { mind: 'mind' } },
  );
  const embedder = openEmbedder({ cacheDir: join(directory, 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, models, embedder) });
  if (work) engine.startWork();

  return {
    engine,
    models,
    send: (name: Command['name'], input: object) => send(engine, name, input),
    create: (setup: object = {}) => createThread(engine, { title: 'Talk', kind: 'dialogue', setup }),
    until: (thread: string, holds: (state: Dialogue) => boolean) =>
      waitFor(engine, thread, () => readMode<Dialogue>(engine, 'dialogue', thread), holds),
    events: (thread: string) => readEvents(engine, thread),
    async close() {
      await engine.close();
      await models.close();
      await embedder.close();
    },
  };
}
