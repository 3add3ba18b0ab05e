import type { Actor } from '../core/events/event.ts';
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts';
import type { Command, State } from '../core/workspace.ts';
import type { Registry } from '../models/registry/registry.ts';
import type { Engine } from './engine.ts';
import type { AcceptedCommand } from './handle.ts';

/* A sample of all four ways of working, written by the small model as one looks on (I16). */

interface SampleThread {
  readonly name: string;
  create(model: string): object;
  /** What is said and done in it, in this order. */
  commandsFor(thread: string, model: string): readonly object[];
}

/** Other texts are another sample: they need other command ids, or a workspace with the earlier one refuses them (L7). */
const EDITION = 'sample-1';

/** Short, in the words of the children's stories that the small model has read. */
const SAMPLE_THREADS: readonly SampleThread[] = [
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
      // Whoever is invited is asked to say something, so the question comes first.
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
  {
    name: 'dialogue',
    create: (model) => ({ title: 'A letter to Grandma', kind: 'dialogue', setup: { model }, invite: [] }),
    commandsFor: (thread) => [
      {
        name: 'message',
        input: {
          thread,
          text: 'Grandma asked what we did at the park with the big red ball. What shall I tell her?',
          // It pauses then and asks for the person.
          run: { budget: { iterations: 4 } },
        },
      },
    ],
  },
  {
    name: 'exchange',
    create: (model) => ({
      title: 'What makes a good friend?',
      kind: 'exchange',
      setup: { model, minds: 2, parallel: true, audit_every: 4, ask_after_audit: 'always' },
      invite: [],
    }),
    commandsFor: (thread) => [{ name: 'run_rounds', input: { thread, rounds: 8 } }],
  },
  {
    name: 'loom',
    create: (model) => ({
      title: 'The little red boat',
      kind: 'loom',
      setup: {
        text: 'Once upon a time there was a little red boat. The boat wanted to see the big sea. One day',
        model,
      },
      invite: [],
    }),
    commandsFor: (thread) => [{ name: 'generate', input: { thread, edits: [], text: '', n: 3, max_tokens: 40 } }],
  },
];

/** Makes the four threads and lets the model begin in all of them at once. Asked for again, it makes what is missing. */
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
    { name, create, commandsFor }: SampleThread,
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
  const why = embedded[0]?.state.sentence ?? 'heddle.yaml names none with "provider: embedded". Add one.';
  return refuse(
    'model_unavailable',
    `The sample is written by the small model inside Heddle, which is not here. ${why}`,
  );
}
