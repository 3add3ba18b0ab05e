import type { Context } from './decider.ts';
import { dialogueCommands } from './dialogue/commands.ts';
import { exchangeCommands } from './exchange/commands.ts';
import { loomCommands } from './loom/commands.ts';
import { type Refusal, refuse } from './refusal.ts';
import { withArticle } from './text/article.ts';
import type { BringWay, ConversationInput } from './threads/commands.ts';
import type { ThreadState } from './threads/state.ts';
import type { Command } from './workspace.ts';

type BringInput = ConversationInput<'bring'>;
type ThreadCommand = Exclude<Command, { readonly name: 'create' }>;
type CommandBuilders = Partial<Record<BringWay, (input: BringInput) => ThreadCommand>>;

/** For each kind of thread, the commands that bring a text into it; the first one is the default. */
const COMMAND_BUILDERS: Readonly<Record<ThreadState['kind'], CommandBuilders>> = {
  conversation: {
    draft: ({ thread, text, at }) => ({ name: 'draft', input: { thread, text, ...(at && { reply_to: at }) } }),
    message: ({ thread, text, at }) => ({
      name: 'post',
      input: { thread, type: 'message', content: text, ...(at && { meta: { reply_to: at } }) },
    }),
  },
  dialogue: {
    message: ({ thread, text }) => ({ name: 'message', input: { thread, text } }),
    steer: ({ thread, text }) => ({ name: 'steer', input: { thread, text } }),
    accept: ({ thread, text, at = '' }) => {
      const [turn, draft] = at.split('.').map(Number);
      return { name: 'accept', input: { thread, text, ...(turn && { turn }), ...(draft && { draft }) } };
    },
  },
  exchange: { message: ({ thread, text }) => ({ name: 'inject', input: { thread, text } }) },
  loom: {
    branch: ({ thread, text, at }) => ({
      name: 'commit',
      input: { thread, edits: [], text, ...(at && { after: at }) },
    }),
  },
};

const COMMAND_DEFINITIONS = { ...dialogueCommands, ...exchangeCommands, ...loomCommands };

/** The ways to bring a text into a thread of this kind, the default first. */
export function bringWaysInto(kind: ThreadState['kind']): readonly BringWay[] {
  return Object.keys(COMMAND_BUILDERS[kind]) as BringWay[];
}

/** Builds the command that brings a text into a thread. A command reserved for humans stays reserved for them (T6). */
export function buildBringCommand(
  input: BringInput,
  { kind, title }: ThreadState,
  { actor }: Context,
): Command | Refusal {
  const buildCommand = COMMAND_BUILDERS[kind][input.as];
  if (!buildCommand) {
    const allowedWays = bringWaysInto(kind)
      .map((way) => `"${way}"`)
      .join(' or ');
    return refuse(
      'wrong_kind',
      `"${title}" is ${withArticle(kind)}: a text comes into it as ${allowedWays}, not as "${input.as}".`,
    );
  }
  const command = buildCommand(input);
  const definition = COMMAND_DEFINITIONS[command.name as keyof typeof COMMAND_DEFINITIONS];
  if (definition?.access === 'human' && actor.kind !== 'human') {
    return refuse(
      'forbidden',
      `Only a person may bring a text into ${withArticle(kind)}; ${actor.id} is none. Ask one.`,
    );
  }
  const { thread: _, ...rest } = command.input;
  const parsed = definition?.input.safeParse(rest);
  if (!parsed || parsed.success) return command;
  const [issue] = parsed.error.issues;
  return refuse(
    'malformed',
    `This text cannot come into ${withArticle(kind)}: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}
