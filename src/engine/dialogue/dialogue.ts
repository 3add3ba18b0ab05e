import { ClusterJob, IterateJob } from '../../core/dialogue/jobs.ts';
import type { Dialogue } from '../../core/dialogue/state.ts';
import type { EngineMode } from '../engine-mode.ts';
import { dialogueExplanations } from '../explain/dialogue.ts';
import { createClustering } from './clustering.ts';
import { createMind } from './mind.ts';

export const dialogueEngine: EngineMode<Dialogue> = {
  performers: ({ models, embedder, time }) => ({
    [IterateJob.kind]: createMind(models, time),
    [ClusterJob.kind]: createClustering(embedder),
  }),
  explanations: dialogueExplanations,
  sample: {
    create: (model) => ({ title: 'A letter to Grandma', kind: 'dialogue', setup: { model }, invite: [] }),
    commandsFor: (thread) => [
      {
        name: 'message',
        input: {
          thread,
          text: 'Grandma asked what we did at the park with the big red ball. What shall I tell her?',
          // The run then pauses and asks for the person.
          run: { budget: { iterations: 4 } },
        },
      },
    ],
  },
};
