import { GenerateJob } from '../../core/loom/jobs.ts';
import type { LoomState } from '../../core/loom/state.ts';
import type { EngineMode } from '../engine-mode.ts';
import { loomExplanations } from '../explain/loom.ts';
import { createGenerate } from './generate.ts';

export const loomEngine: EngineMode<LoomState> = {
  performers: ({ models, time, isHeld }) => ({ [GenerateJob.kind]: createGenerate(models, isHeld, time) }),
  explanations: loomExplanations,
  sample: {
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
};
