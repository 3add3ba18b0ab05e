import type { LoomInput } from '../../core/loom/commands.ts';
import type { PromptNode } from '../../core/loom/generation/prompt.ts';
import type { Capabilities, Completion } from '../../models/model.ts';
import type { PromptPart } from '../../models/prompt/fit.ts';
import type { CallReply, FittableRequest } from '../calls/calls.ts';
import type { LoomRequest } from './ask.ts';

/** The part of the text that the model did not see (W18). */
export type DroppedNodes = NonNullable<LoomInput<'report_generation'>['dropped']>;

/** Practical maximum length of a token: text further back than this allows cannot fit and need not be measured. */
const MAX_TOKEN_CHARS = 64;
const MAX_SUFFIX_CHARS = 4_000;

export function buildCompletion(
  loomRequest: LoomRequest,
  capabilities: Capabilities,
  n: number,
  seed: number | undefined,
): Completion {
  const { max_tokens, temperature, top_p, top_k, stop, logprobs } = loomRequest.request;
  const logprobCount = Math.min(logprobs, capabilities.logprobs);
  return {
    prompt: '',
    n,
    // At least half of the context window is for the text to continue.
    maxTokens: Math.max(1, Math.min(max_tokens, capabilities.context >> 1)),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(stop && { stop }),
    ...(seed !== undefined && { seed }),
    ...(logprobCount > 0 && { logprobs: logprobCount }),
    ...(loomRequest.suffix !== undefined && { suffix: loomRequest.suffix.slice(0, MAX_SUFFIX_CHARS).toWellFormed() }),
  };
}

/** The newest nodes that could fit at all. */
export function nodesWithin(nodes: readonly PromptNode[], context: number): readonly PromptNode[] {
  let length = 0;
  let first = nodes.length;
  while (first > 0 && (length < context * MAX_TOKEN_CHARS || first === nodes.length)) {
    first--;
    length += (nodes[first] as PromptNode).content.length;
  }
  return nodes.slice(first);
}

/** Drops whole nodes, oldest first; if the last node alone is too long, drops its beginning (W18). */
export const promptOfEnd = {
  fitting(
    { request: { system } }: LoomRequest,
    nodes: readonly PromptNode[],
    request: Completion,
  ): FittableRequest<Completion> {
    const parts = nodes.map(({ id, content }, i): PromptPart => {
      return { kind: i === nodes.length - 1 ? 'awaiting' : 'history', id, text: content };
    });
    const build = (remaining: readonly PromptPart[]) => ({
      ...withInstructions(request, system),
      prompt: instructionsPrefix(system) + remaining.map(({ text }) => text).join(''),
    });
    return { parts, build };
  },
  cut({ request: { system } }: LoomRequest, nodes: readonly PromptNode[], request: Completion): Completion {
    return {
      ...withInstructions(request, system),
      prompt: instructionsPrefix(system) + (nodes.at(-1)?.content ?? ''),
      truncate: 'left',
    };
  },
};

function withInstructions(request: Completion, system: string | undefined): Completion {
  return instructionsPrefix(system) === '' ? request : { ...request, instructions: instructionsPrefix(system) };
}

/** Instructions go before the text; a loom has none unless someone sets them (W16). */
function instructionsPrefix(system: string | undefined): string {
  return system === undefined || system === '' ? '' : `${system}\n\n`;
}

export function droppedOf(
  all: readonly PromptNode[],
  nodes: readonly PromptNode[],
  reply: CallReply,
  isCut: boolean,
): DroppedNodes | undefined {
  const seenCount = isCut ? 1 : nodes.length - (reply.dropped?.history.length ?? 0);
  const droppedCount = all.length - seenCount;
  if (droppedCount === 0 && reply.truncated === 0) return undefined;
  const last = all[droppedCount - 1]?.id;
  return {
    nodes: droppedCount,
    ...(last !== undefined && { last }),
    ...(reply.truncated > 0 && { cut: reply.truncated }),
  };
}
