import { z } from 'zod';
import { cleanFileName, MAX_ATTACHMENTS } from './attachment.ts';

export const blobHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');
const pixels = z.number().int().min(1).max(100_000).exactOptional();

/** What a client sends. `type`, `size`, `width` and `height` may be repeated, and are ignored (I27). */
export const namedAttachments = z
  .array(
    z.strictObject({
      blob: blobHash.describe('The answer of POST /api/blobs.'),
      name: z.string().min(1).max(1000),
      type: z.string().max(200).exactOptional(),
      size: z.number().exactOptional(),
      width: z.number().exactOptional(),
      height: z.number().exactOptional(),
    }),
  )
  .min(1)
  .max(MAX_ATTACHMENTS)
  .readonly();

const attachmentFields = {
  blob: blobHash,
  name: z.string().refine((name) => name === cleanFileName(name), 'must be one short line without a path'),
  type: z.string().regex(/^[a-z]+\/[a-z0-9.+-]{1,100}$/, 'must be a media type'),
  size: z.number().int().nonnegative(),
  width: pixels,
  height: pixels,
};
/** What views and answers show. */
export const attachmentSchema = z.object(attachmentFields);
/** What an event has; fields of a newer version are kept (L3). */
export const attachmentsSchema = z.array(z.looseObject(attachmentFields)).max(MAX_ATTACHMENTS);
