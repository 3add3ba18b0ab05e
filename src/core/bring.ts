import type { Context } from './decider.ts';
import { dialogueCommands } from './dialogue/commands.ts';
import { exchangeCommands } from './exchange/commands.ts';
import { loomCommands } from './loom/commands.ts';
import { type Refusal, refuse } from './refusal.ts';
import { withArticle } from './text/article.ts';
import type { InputOf, Way } from './threads/commands.ts';
import type { ThreadState } from './threads/state.ts';
import type { Command } from './workspace.ts';

type Brought = InputOf<'bring'>;
type Ways = Partial<Record<Way, (brought: Brought) => unknown>>;

/** What bringing a text into a thread comes to, by the thread's kind; the first way is the usual one. */
const WAYS: Readonly<Record<ThreadState['kind'], Ways>> = {
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

const CHECKS = { ...dialogueCommands, ...exchangeCommands, ...loomCommands };

/** As what a text can come into a thread of this kind, the usual way first. */
export function waysInto(kind: ThreadState['kind']): readonly Way[] {
  return Object.keys(WAYS[kind]) as Way[];
}

/** The command that a text is brought by. What a person alone may say, a person alone may bring (T6). */
export function bringing(input: Brought, { kind, title }: ThreadState, { actor }: Context): Command | Refusal {
  const make = WAYS[kind][input.as];
  if (!make) {
    const others = waysInto(kind)
      .map((way) => `"${way}"`)
      .join(' or ');
    return refuse(
      'wrong_kind',
      `"${title}" is ${withArticle(kind)}: a text comes into it as ${others}, not as "${input.as}".`,
    );
  }
  const command = make(input) as Command;
  const own = CHECKS[command.name as keyof typeof CHECKS];
  if (own?.access === 'human' && actor.kind !== 'human') {
    return refuse(
      'forbidden',
      `Only a person may bring a text into ${withArticle(kind)}; ${actor.id} is none. Ask one.`,
    );
  }
  const { thread: _, ...rest } = command.input as { thread: string };
  const checked = own?.input.safeParse(rest);
  if (!checked || checked.success) return command;
  const [issue] = checked.error.issues;
  return refuse(
    'malformed',
    `This text cannot come into ${withArticle(kind)}: ${issue?.path.join('.')}: ${issue?.message}.`,
  );
}
