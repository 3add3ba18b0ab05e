import type { Context } from './decider.ts';
import { modeOf } from './modes.ts';
import type { BringWay, BroughtInput } from './origin.ts';
import { type Refusal, refuse } from './refusal.ts';
import { withArticle } from './text/article.ts';
import type { ConversationCommand, ConversationInput } from './threads/commands.ts';
import type { ThreadState } from './threads/state.ts';
import type { Command, State } from './workspace.ts';

type CommandBuilders<Built> = Readonly<Partial<Record<BringWay, (input: BroughtInput) => Built>>>;

/** Every thread is a conversation: one whose kind this version does not know takes texts like any other. */
const conversationBuilders: CommandBuilders<ConversationCommand> = {
  draft: ({ thread, text, at }) => ({ name: 'draft', input: { thread, text, ...(at && { reply_to: at }) } }),
  message: ({ thread, text, at }) => ({
    name: 'post',
    input: { thread, type: 'message', content: text, ...(at && { meta: { reply_to: at } }) },
  }),
};

function buildersFor(kind: string): CommandBuilders<Command> {
  return (modeOf(kind)?.accepts as CommandBuilders<Command> | undefined) ?? conversationBuilders;
}

/** The ways to bring a text into a thread of this kind, the default first. */
export function bringWaysInto(kind: string): readonly BringWay[] {
  return Object.keys(buildersFor(kind)) as BringWay[];
}

/** The way to bring a text to a place of a thread, unless somebody says otherwise. */
export function defaultBringWay({ thread, mode }: State, at: string | undefined): BringWay {
  return modeOf(thread.kind)?.acceptsNow?.(mode, at) ?? (bringWaysInto(thread.kind)[0] as BringWay);
}

/** Builds the command that brings a text into a thread. A command reserved for humans stays reserved for them (T6). */
export function buildBringCommand(
  input: ConversationInput<'bring'>,
  { kind, title }: ThreadState,
  { actor }: Context,
): Command | Refusal {
  const buildCommand = buildersFor(kind)[input.as];
  if (!buildCommand) {
    const allowedWays = bringWaysInto(kind)
      .map((way) => `"${way}"`)
      .join(' or ');
    return refuse(
      'wrong_kind',
      `"${title}" is ${withArticle(kind)}: a text can be sent there as ${allowedWays}, not as "${input.as}".`,
    );
  }
  const command = buildCommand(input);
  const definition = modeOf(kind)?.commands[command.name];
  if (definition?.access === 'human' && actor.kind !== 'human') {
    return refuse(
      'forbidden',
      `Only a person may send a text to ${withArticle(kind)}, and ${actor.id} is not one. Ask a person.`,
    );
  }
  const { thread: _, ...rest } = command.input as { readonly thread: string };
  const parsed = definition?.input.safeParse(rest);
  if (!parsed || parsed.success) return command;
  const [issue] = parsed.error.issues;
  return refuse(
    'malformed',
    `This text cannot be sent to ${withArticle(kind)}: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}
