import { z } from 'zod';

/* Import and export of looms as files (W26). */
export const loomFileFormats = [
  'socketteer',
  'loomsidian',
  'miniloom',
  'exoloom',
  'mikupad',
  'sillytavern',
  'openloom',
  'text',
] as const;
/** `loom` is the nested JSON of the Python loom; the last three hold the caller's path and its authors. */
export const loomExportFormats = ['jsonl', 'openloom', 'loom', 'markdown', 'text', 'html'] as const;
export type LoomExportFormat = (typeof loomExportFormats)[number];

const countField = { count: z.number().int() };

/** An imported loom, and the parts of the file that it leaves out. */
export const importedLoom = z.object({
  id: z.string(),
  title: z.string(),
  format: z.string(),
  nodes: z.number().int(),
  report: z.object({
    dropped: z.array(z.object({ field: z.string(), ...countField, why: z.string() })).readonly(),
    secrets_removed: z.number().int(),
    problems: z.array(z.object({ what: z.string(), ...countField, where: z.array(z.string()).readonly() })).readonly(),
  }),
});
export type WireImportedLoom = z.infer<typeof importedLoom>;

/** One line of an upload: a piece of a file. The pieces of a file are consecutive. */
export const filePiece = z.strictObject({ name: z.string().min(1).max(1000), base64: z.base64() });

export const loomFileRoutes = {
  'POST /api/looms/import': {
    summary:
      'Creates looms from files of other programs. The body is lines of {"name", "base64"}, the pieces of a file in order. Answers with progress lines and a last line with the looms and what was lost.',
    access: 'participant',
    status: 200,
    query: z.strictObject({ format: z.enum(['auto', ...loomFileFormats]).default('auto') }),
    upload: 'application/jsonl',
    response: 'application/jsonl',
  },
  'GET /api/threads/:thread/export': {
    summary:
      "Exports a thread as JSON Lines, a loom in a format of other programs, or the caller's path as a text with its authors.",
    access: 'participant',
    status: 200,
    query: z.strictObject({
      format: z.enum(loomExportFormats).default('jsonl'),
      authors: z.enum(['yes', 'no']).default('no').describe('With "text": adds a table of authors.'),
    }),
    response: 'application/octet-stream',
  },
  'GET /api/threads/:thread/nodes': {
    summary: 'Finds nodes of a loom by the beginning or end of their ID, at most ten.',
    access: 'participant',
    status: 200,
    query: z.strictObject({ like: z.string().trim().min(1).max(64) }),
    response: z.object({ nodes: z.array(z.string()) }),
  },
} as const;
