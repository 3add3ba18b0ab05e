import { z } from 'zod';
import { namedAttachments } from '../attachments/schema.ts';
import type { CommandOf, ModeCommands } from '../mode.ts';
import { ThoughtClustered } from '../pool/events.ts';
import { problemResults, waitInputSchema } from '../runs/schema.ts';
import { positive as index, natural } from '../util/schemas.ts';
import { budget, settings } from './config.ts';
import { draftMarks, engagement, iterationFacts } from './events.ts';

/** A draft is at most as long as the whole output of a model may be (D21). */
const MAX_TEXT = 256 * 1024;
const text = z.string().min(1).max(MAX_TEXT);
const attachments = namedAttachments.optional().describe('Files uploaded with POST /api/blobs.');
const turn = index.describe('The expected turn: refused if that turn is over.').optional();

export const runOptions = z.strictObject({
  iterations: index
    .optional()
    .describe(
      'Ends after this many iterations. A run without this and without a budget ends at the first hard signal or "+1", or after 20.',
    ),
  silences: index.max(1000).optional().describe('Ends after this many silent iterations in a row; default 3.'),
  budget: budget.optional().describe('Pauses when one of these is used up; default: the dialogue’s budget.'),
});
export type DialogueRunOptions = z.infer<typeof runOptions>;

/** The result of one iteration. The mind's output is data here: it can decide nothing but a draft (M9). */
const result = z.union([
  z.strictObject({
    thoughts: z.array(z.string().min(1)),
    draft: z.string().min(1).optional(),
    clear: z.literal(true).optional(),
    empty: z.literal(true).optional(),
    ...draftMarks,
  }),
  ...problemResults,
]);

export const dialogueCommands = {
  message: {
    summary: 'Sends the mind a message, which waits until a draft is accepted.',
    input: z.strictObject({
      text,
      attachments,
      run: runOptions.optional().describe('Starts a run at once.'),
    }),
    access: 'human',
  },
  accept: {
    summary: 'Accepts a draft: the one with this index, or the latest reply; with "text", the person’s edited version.',
    input: z.strictObject({ draft: index.optional(), text: text.optional(), turn }),
    access: 'human',
  },
  steer: {
    summary: 'Adds a note that the mind sees, without accepting anything.',
    input: z.strictObject({ text, attachments, turn }),
    access: 'human',
  },
  withdraw: { summary: 'Withdraws the waiting message.', input: z.strictObject({ turn }), access: 'human' },
  seen: {
    summary: 'Marks drafts as read by a person: these, or all.',
    input: z.strictObject({ drafts: z.array(index).min(1).max(10_000).optional(), turn }),
    access: 'human',
  },
  engagement: {
    summary: 'Sets how closely the person follows the dialogue. The mind sees it; it is not an instruction.',
    input: z.strictObject({ engagement }),
    access: 'human',
  },
  run: { summary: 'Starts a run of the mind.', input: runOptions, access: 'human' },
  step: { summary: 'Runs one iteration of the mind.', input: z.strictObject({}), access: 'human' },
  pause_run: { summary: 'Pauses the run.', input: z.strictObject({}), access: 'human' },
  resume_run: {
    summary: 'Resumes a paused run, with the same budget again.',
    input: z.strictObject({ budget: budget.optional() }),
    access: 'human',
  },
  stop_run: { summary: 'Ends the run.', input: z.strictObject({}), access: 'human' },
  reopen: {
    summary: 'Creates a fork in which an old turn is answered with another of its drafts.',
    input: z.strictObject({ turn: index, draft: index, title: z.string().trim().min(1).max(200).optional() }),
    access: 'human',
  },
  history_prune: {
    summary: 'Hides turns up to this one from the mind; 0 shows all of them again.',
    input: z.strictObject({ turn: natural }),
    access: 'human',
  },
  configure: {
    summary: 'Changes settings of the dialogue.',
    input: z.strictObject({
      set: z
        .record(
          z.string().max(64),
          z.custom<unknown>((value) => value !== undefined),
        )
        .describe(describeSettings()),
    }),
    access: 'human',
  },
  report_iteration: {
    summary: 'The result of an iteration.',
    input: z.strictObject({ ...iterationFacts, result, blobs: z.array(z.string()).optional() }),
    access: 'internal',
  },
  report_wait: {
    summary: 'The model cannot answer now; the call is repeated later.',
    input: waitInputSchema,
    access: 'internal',
  },
  report_clusters: {
    summary: 'Which cluster each thought belongs to, decided at this number of assignments.',
    input: z.strictObject({ after: natural, assignments: z.array(ThoughtClustered.schema) }),
    access: 'internal',
  },
} as const satisfies ModeCommands;

export type DialogueCommand = CommandOf<typeof dialogueCommands>;
export type DialogueInputOf<Name extends DialogueCommand['name']> = Extract<DialogueCommand, { name: Name }>['input'];

function describeSettings(): string {
  return `Any of ${Object.keys(settings.shape).join(', ')}.`;
}
