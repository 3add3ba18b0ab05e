import type { PromptNode } from '../../core/loom/generation/prompt.ts';
import type { Capabilities, Completion } from '../../models/model.ts';
import type { Part } from '../../models/prompt/fit.ts';
import type { Called, Fitting } from '../calls/calls.ts';
import type { Wish } from './ask.ts';

/** What a model did not get to see (W18). */
export interface Dropped {
  readonly nodes: number;
  readonly last?: string;
  /** Tokens at the beginning of the first node that it saw. */
  readonly cut?: number;
}

/** No token is longer than this, nearly: what lies farther back cannot fit and need not be measured. */
const LONGEST_TOKEN = 64;
const LONGEST_SUFFIX = 4_000;

export function completionOf(wish: Wish, can: Capabilities, n: number, seed: number | undefined): Completion {
  const { max_tokens, temperature, top_p, top_k, stop, logprobs } = wish.request;
  const told = Math.min(logprobs, can.logprobs);
  return {
    prompt: '',
    n,
    // Half of the window at least is for what is gone on from.
    maxTokens: Math.max(1, Math.min(max_tokens, can.context >> 1)),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(stop && { stop }),
    ...(seed !== undefined && { seed }),
    ...(told > 0 && { logprobs: told }),
    ...(wish.suffix !== undefined && { suffix: wish.suffix.slice(0, LONGEST_SUFFIX).toWellFormed() }),
  };
}

/** The newest nodes that could fit at all. */
export function within(nodes: readonly PromptNode[], context: number): readonly PromptNode[] {
  let length = 0;
  let first = nodes.length;
  while (first > 0 && (length < context * LONGEST_TOKEN || first === nodes.length)) {
    first--;
    length += (nodes[first] as PromptNode).content.length;
  }
  return nodes.slice(first);
}

/** Whole nodes go, the oldest first; if the last one is too long by itself, its beginning goes (W18). */
export const onlyTheEnd = {
  fitting({ request: { system } }: Wish, nodes: readonly PromptNode[], request: Completion): Fitting<Completion> {
    const parts = nodes.map(({ id, content }, i): Part => {
      return { kind: i === nodes.length - 1 ? 'awaiting' : 'history', id, text: content };
    });
    const build = (left: readonly Part[]) => ({
      ...withInstructions(request, system),
      prompt: before(system) + left.map(({ text }) => text).join(''),
    });
    return { parts, build };
  },
  cut({ request: { system } }: Wish, nodes: readonly PromptNode[], request: Completion): Completion {
    return {
      ...withInstructions(request, system),
      prompt: before(system) + (nodes.at(-1)?.content ?? ''),
      truncate: 'left',
    };
  },
};

function withInstructions(request: Completion, system: string | undefined): Completion {
  return before(system) === '' ? request : { ...request, instructions: before(system) };
}

/** Instructions stand before the text; a loom has none unless someone sets some (W16). */
function before(system: string | undefined): string {
  return system === undefined || system === '' ? '' : `${system}\n\n`;
}

export function droppedOf(
  all: readonly PromptNode[],
  nodes: readonly PromptNode[],
  called: Called,
  cut: boolean,
): Dropped | undefined {
  const seen = cut ? 1 : nodes.length - (called.dropped?.history.length ?? 0);
  const gone = all.length - seen;
  if (gone === 0 && called.truncated === 0) return undefined;
  const last = all[gone - 1]?.id;
  return {
    nodes: gone,
    ...(last !== undefined && { last }),
    ...(called.truncated > 0 && { cut: called.truncated }),
  };
}
