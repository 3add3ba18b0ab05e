import { z } from 'zod';

const pins = z.object({ pins: z.array(z.string()).readonly() });

/** Pins of the caller: nobody else sees them (T34). */
export const pinRoutes = {
  'GET /api/pins': {
    summary: 'Lists the caller’s pinned threads, in order.',
    access: 'human',
    status: 200,
    response: pins,
  },
  'POST /api/pins': {
    summary: 'Pins a thread for the caller, moves its pin, or removes it.',
    access: 'human',
    status: 200,
    body: z.strictObject({
      thread: z.string().min(1).max(64),
      on: z.boolean().default(true),
      before: z.string().min(1).max(64).optional().describe('The pinned thread to put it before.'),
    }),
    response: pins,
  },
} as const;
