import { z } from 'zod';
import { attachmentSchema } from '../core/attachments/schema.ts';

/** Routes of files that are attached to what is said (I27). */
export const blobRoutes = {
  'POST /api/blobs': {
    summary: 'Stores the body as a file, unchanged: up to 25 MB. Attach it to a message by its hash.',
    access: 'participant',
    status: 201,
    upload: 'application/octet-stream',
    response: attachmentSchema.omit({ name: true }),
  },
  'GET /api/blobs/:blob': {
    summary:
      'Returns the bytes of a file. Browsers show raster images and save everything else; nothing in it can run.',
    access: 'participant',
    status: 200,
    query: z.strictObject({ name: z.string().max(1000).optional().describe('The name to save it under.') }),
    response: 'application/octet-stream',
  },
} as const;
