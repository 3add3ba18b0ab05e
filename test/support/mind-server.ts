import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialogue } from '../../src/core/dialogue/state.ts';
import type { Event } from '../../src/core/events/event.ts';
import { isRefusal, type RefusalDetail } from '../../src/core/refusal.ts';
import { type Command, modeState, type State } from '../../src/core/workspace.ts';
import { createModels } from '../../src/engine/calls/models.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { createPerformers } from '../../src/engine/performers.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { type EventLog, eventOf } from '../../src/log/event-log.ts';
import { openMemoryLog } from '../../src/log/memory/memory-log.ts';
import { openEmbedder } from '../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';
import { human } from './given.ts';

/** An engine whose minds are played by a script: YAML answers in order, or whole answers of a script. */
export async function mindServer(
  answers: readonly (string | object)[],
  { log = openMemoryLog(), script = {}, work = true }: { log?: EventLog; script?: object; work?: boolean } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-mind-'));
  const played = answers.map((answer) => (typeof answer === 'string' ? { text: answer } : answer));
  writeFileSync(join(directory, 'mind.json'), JSON.stringify({ ...script, answers: played }));
  const models = { mind: { provider: 'scripted' as const, path: 'mind.json' } };
  const registry = createRegistry({
    settings: () => ({ models, clients: {}, defaults: { mind: 'mind' }, budgets: {} }),
    directory,
  });
  const secrets = createSecrets(registry.keys);
  const asked = createModels({ log, registry, secrets });
  const embedder = openEmbedder({ cacheDir: join(directory, 'no-weights') });
  const engine = await createEngine({ log, secrets, ...createPerformers(log, asked, embedder) });
  if (work) engine.startWork();

  async function send(name: Command['name'], input: object): Promise<Event[] | RefusalDetail> {
    const done = await engine.handle(human, { name, input } as Command);
    return isRefusal(done) ? done.refusal : done.events.map(eventOf);
  }

  async function create(setup: object = {}): Promise<string> {
    const made = await send('create', { title: 'Talk', kind: 'dialogue', setup, invite: [] });
    return (made as Event[])[0]?.thread as string;
  }

  return {
    engine,
    models: asked,
    send,
    create,
    until: (thread: string, holds: (state: Dialogue) => boolean) => until(engine, thread, holds),
    events: async (thread: string) => (await log.readThread(thread, 0, 10_000)).map(eventOf),
    async close() {
      await engine.close();
      await asked.close();
      await embedder.close();
    },
  };
}

/** The dialogue once something holds: looked at again whenever an event was appended. */
async function until(engine: Engine, thread: string, holds: (state: Dialogue) => boolean): Promise<Dialogue> {
  for (;;) {
    const changed = engine.tail.waitForChange(thread, 60_000);
    const state = modeState('dialogue', (await engine.state(thread))?.state as State) as Dialogue;
    if (holds(state)) return state;
    if (!(await changed)) throw new Error(`It never came to that: ${JSON.stringify(state.run)}`);
  }
}

export const runOver = ({ run }: Dialogue) => run !== undefined && run.state !== 'running';
