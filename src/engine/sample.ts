import type { Actor } from '../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import type { Command, State } from '../core/workspace.ts';
import type { Registry } from '../models/registry/registry.ts';
import type { Engine } from './engine.ts';
import type { SampleThread } from './engine-mode.ts';
import type { AcceptedCommand } from './handle.ts';
import { engineModes } from './modes.ts';

/* A sample thread of each kind, written by the small model while the user watches (I16). */

/**
 * Change this when the texts change: command ids depend on it, and a workspace with the earlier sample would refuse
 * reused ids (L7).
 */
const EDITION = 'sample-1';

/** Short texts, in the vocabulary of the children's stories that the small model was trained on. */
const SAMPLE_THREADS: readonly (SampleThread & { readonly name: string })[] = [
  {
    name: 'thread',
    create: () => ({ title: 'The frog by the pond', kind: 'conversation', invite: [] }),
    commandsFor: (thread, model) => [
      {
        name: 'post',
        input: {
          thread,
          type: 'message',
          content: 'A little green frog sat by the pond and was sad. What did his friend say to him?',
        },
      },
      // An invitation asks the participant to speak, so the question comes first.
      {
        name: 'post',
        input: {
          thread,
          type: 'control',
          content: {
            invite: { participant_id: 'muse', profile: { nickname: 'Muse', kind: 'agent', client: 'model', model } },
          },
        },
      },
    ],
  },
  ...Object.entries(engineModes).flatMap(([kind, { sample }]) => (sample ? [{ ...sample, name: kind }] : [])),
];

/** Creates the threads and starts the model in all of them at once. A second call creates only what is missing. */
export async function makeSample(
  { handle }: Pick<Engine, 'handle'>,
  registry: Pick<Registry, 'list'>,
  actor: Actor,
): Promise<readonly AcceptedCommand<State>[] | Refusal> {
  const model = await smallModel(registry);
  if (typeof model !== 'string') return model;
  const results = await Promise.all(SAMPLE_THREADS.map((sample) => makeThread(sample, model)));
  return results.find(isRefusal) ?? (results as readonly AcceptedCommand<State>[]);

  async function makeThread(
    { name, create, commandsFor }: (typeof SAMPLE_THREADS)[number],
    modelName: string,
  ): Promise<AcceptedCommand<State> | Refusal> {
    let result = await handle(actor, { name: 'create', input: create(modelName) } as Command, `${EDITION}/${name}`);
    if (isRefusal(result)) return result;
    const thread = result.events[0]?.thread as string;
    for (const [i, command] of commandsFor(thread, modelName).entries()) {
      result = await handle(actor, command as Command, `${EDITION}/${name}/${i}`);
      if (isRefusal(result)) return result;
    }
    return result;
  }
}

async function smallModel(registry: Pick<Registry, 'list'>): Promise<string | Refusal> {
  const embedded = (await registry.list()).filter(({ entry }) => entry.provider === 'embedded');
  const ready = embedded.find(({ state }) => state.code === 'ready');
  if (ready) return ready.name;
  const why = embedded[0]?.state.sentence ?? 'Add a model with "provider: embedded" to heddle.yaml.';
  return refuse(
    'model_unavailable',
    `The sample is written by the small model inside Heddle, which is not available. ${why}`,
  );
}
