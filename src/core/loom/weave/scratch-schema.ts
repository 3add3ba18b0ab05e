import { z } from 'zod';
import type { Scratch } from './scratch.ts';

const text = z.string().refine((value) => value.isWellFormed() && !value.includes('\0'), {
  error: 'This text contains half a surrogate pair or a NUL character.',
});
const offset = z.number().int().nonnegative();

/** Scratch as a browser sends it to the server. In its own file, so that the page does not load zod. */
export const scratchSchema: z.ZodType<Scratch> = z.strictObject({
  edits: z.array(
    z.strictObject({
      node: z.string().min(1),
      original: text,
      current: text,
      ranges: z.array(z.strictObject({ from: offset, to: offset })),
      at: offset,
    }),
  ),
  buffer: text,
  count: offset,
  after: z.string().nullable(),
});
