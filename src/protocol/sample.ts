import { z } from 'zod';
import { threadRow } from './threads.ts';

/** Routes for the sample threads of a first visit (I16). */
export const sampleRoutes = {
  'POST /api/sample': {
    summary:
      'Creates a sample of all four ways of working, written by the small model. Asking again returns the same sample.',
    access: 'human',
    status: 201,
    body: z.strictObject({}),
    response: z.object({ threads: z.array(threadRow).describe('A conversation, a dialogue, an exchange, a loom.') }),
  },
} as const;
