import { z } from 'zod';
import { namedAttachments } from '../attachments/schema.ts';
import type { CommandOf, ModeCommands } from '../mode.ts';
import { ThoughtClustered } from '../pool/events.ts';
import { problemResults, waitInputSchema } from '../runs/schema.ts';
import { positive as index, natural } from '../util/schemas.ts';
import { callFacts, decision } from './events.ts';
import { budget, MAX_TEXT } from './terms/terms.ts';

const text = z.string().trim().min(1).max(MAX_TEXT);
const attachments = namedAttachments.optional().describe('Files uploaded with POST /api/blobs.');
const reason = z.string().trim().min(1).max(4000);
const title = z.string().trim().min(1).max(200).optional();
const emptyInput = z.strictObject({});
const set = z
  .record(
    z.string().max(64),
    z.custom<unknown>((value) => value !== undefined),
  )
  .describe('Any of the terms of the exchange.');

export const runOptions = z.strictObject({
  rounds: index
    .max(100_000)
    .optional()
    .describe('Ends after this many rounds; without this and without a budget, with the next audit.'),
  budget: budget.optional().describe('Pauses when one of these is used up; default: the budget in the terms.'),
  seed: natural
    .max(2 ** 31 - 1)
    .optional()
    .describe('The seed for all samples; default: random.'),
});
export type ExchangeRunOptions = z.infer<typeof runOptions>;

const thoughtResult = z.union([
  z.strictObject({ thoughts: z.array(z.string().min(1)), restart: z.string().min(1).optional() }),
  ...problemResults,
]);
const auditResult = z.union([z.strictObject({ text: z.string().min(1) }), ...problemResults]);
const blobs = z.array(z.string()).optional();

export const exchangeCommands = {
  run: { summary: 'Runs some rounds.', input: runOptions, access: 'human' },
  pause_run: { summary: 'Pauses the rounds.', input: emptyInput, access: 'human' },
  resume_run: {
    summary: 'Resumes paused rounds, with the same budget again.',
    input: z.strictObject({ budget: budget.optional() }),
    access: 'human',
  },
  stop_run: { summary: 'Ends the rounds.', input: emptyInput, access: 'human' },
  audit_now: { summary: 'Asks for an audit before the next round.', input: emptyInput, access: 'human' },
  skip_audit: {
    summary: 'Skips the audit that is due; the next one is due as usual.',
    input: z.strictObject({ reason }),
    access: 'human',
  },
  inject: {
    summary: 'Adds a message from outside, shown to every mind until the next audit.',
    input: z.strictObject({ text, attachments }),
    access: 'human',
  },
  observe: {
    summary: 'Speaks as the observer, and answers an audit that is waiting.',
    input: z.strictObject({ text, attachments }),
    access: 'human',
  },
  decide: {
    summary: 'Answers a request for a restart.',
    input: z.strictObject({
      decision,
      reason,
      set: set.optional().describe('New terms of the branch or the amendment.'),
      round: natural.optional().describe('The round to go back to.'),
      title,
    }),
    access: 'human',
  },
  amend: {
    summary: 'Changes the terms; announced to the pool one round before it takes effect.',
    input: z.strictObject({ set, reason: reason.optional() }),
    access: 'human',
  },
  branch: {
    summary: 'Starts a branch from here, with its own terms; a control branch runs without observer input.',
    input: z.strictObject({
      title,
      reason: reason.optional(),
      set: set.optional(),
      control: z.literal(true).optional(),
      rounds: index.max(100_000).optional().describe('How many rounds to run at once.'),
    }),
    access: 'human',
  },
  rollback: {
    summary: 'Starts a branch from the end of an earlier round; later rounds stay in this one.',
    input: z.strictObject({ round: natural, title, reason: reason.optional(), set: set.optional() }),
    access: 'human',
  },
  halt: { summary: 'Ends the exchange.', input: z.strictObject({ reason }), access: 'human' },
  veto: {
    summary: 'Hides a thought from sampling.',
    input: z.strictObject({ thought: index, reason }),
    access: 'human',
  },
  unveto: { summary: 'Shows a hidden thought again.', input: z.strictObject({ thought: index }), access: 'human' },
  report_thoughts: {
    summary: 'The result of asking a mind.',
    input: z.strictObject({ ...callFacts, mind: natural, iter: index, result: thoughtResult, blobs }),
    access: 'internal',
  },
  report_audit: {
    summary: 'The result of asking the auditor.',
    input: z.strictObject({ ...callFacts, audit: index, attempt: index, result: auditResult, blobs }),
    access: 'internal',
  },
  report_wait: {
    summary: 'A model cannot answer now; the call is repeated later.',
    input: waitInputSchema.extend({ audit: index.optional(), mind: text.optional() }),
    access: 'internal',
  },
  settle_round: {
    summary: 'Where the thoughts of a round belong, and how far they are from the others.',
    input: z.strictObject({
      round: index,
      run: index,
      after: natural,
      assignments: z.array(ThoughtClustered.schema),
      diversity: z.number().nullable(),
      novelty: z.number().nullable(),
      problem: z.string().optional(),
    }),
    access: 'internal',
  },
  branch_by_policy: {
    summary: 'A restart leads to a branch, because the terms say so.',
    input: z.strictObject({ restart: index }),
    access: 'internal',
  },
} as const satisfies ModeCommands;

export type ExchangeCommand = CommandOf<typeof exchangeCommands>;
export type ExchangeInputOf<Name extends ExchangeCommand['name']> = Extract<ExchangeCommand, { name: Name }>['input'];
