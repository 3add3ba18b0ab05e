import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { ChatImage } from '../model.ts';

/**
 * A piece of an input, by how important it is to keep (M10). `fixed` holds instructions and everything else that must
 * stay; `awaiting` is the message that waits for an answer. Within a kind, the pieces to drop first come first.
 */
export type PromptPart =
  | {
      readonly kind: 'fixed' | 'awaiting' | 'pool' | 'history' | 'draft';
      readonly id: string;
      readonly text: string;
      readonly images?: readonly ChatImage[];
    }
  | { readonly kind: 'terms'; readonly id: string; readonly text: string; readonly hash: string };

export interface FittedPrompt {
  readonly parts: readonly PromptPart[];
  readonly tokens: number;
  /** The ids of the parts that the model does not see. */
  readonly dropped: DroppedParts;
  /** Partial: some of the texts that both sides must know are included only as hash and first lines (X3). */
  readonly legibility: 'full' | 'partial';
}

export interface DroppedParts {
  readonly pool: readonly string[];
  readonly history: readonly string[];
  readonly drafts: readonly string[];
  readonly shortened: readonly string[];
}

const NOTHING_DROPPED: DroppedParts = { pool: [], history: [], drafts: [], shortened: [] };
const DROP_ORDER = ['pool', 'history', 'draft', 'terms'] as const;
const KEPT_LINES = 3;
const KEPT_CHARACTERS = 200;

/**
 * Drops as little as possible, in the documented order, until the input has at most `limit` tokens. `countTokens`
 * measures an input in the form the model would get.
 */
export async function fitInput(
  parts: readonly PromptPart[],
  limit: number,
  countTokens: (parts: readonly PromptPart[]) => Promise<number | Refusal>,
): Promise<FittedPrompt | Refusal> {
  const totalTokens = await countTokens(parts);
  if (isRefusal(totalTokens)) return totalTokens;
  if (totalTokens <= limit) return { parts, tokens: totalTokens, dropped: NOTHING_DROPPED, legibility: 'full' };

  // The parts to drop, in order; a binary search finds the smallest number that is enough.
  const removable = DROP_ORDER.flatMap((kind) => parts.filter((part) => part.kind === kind));
  let best: { readonly steps: number; readonly tokens: number } | undefined;
  let [low, high] = [1, removable.length];
  while (low <= high) {
    const dropCount = best === undefined && low === 1 && high === removable.length ? high : (low + high) >> 1;
    const tokens = await countTokens(removeParts(parts, removable.slice(0, dropCount)));
    if (isRefusal(tokens)) return tokens;
    if (tokens <= limit) {
      best = { steps: dropCount, tokens };
      high = dropCount - 1;
    } else if (dropCount === removable.length) return refuseTooSmall(limit, tokens);
    else low = dropCount + 1;
  }
  if (!best) return refuseTooSmall(limit, totalTokens);

  const removed = removable.slice(0, best.steps);
  const idsOf = (kind: PromptPart['kind']) => removed.filter((part) => part.kind === kind).map(({ id }) => id);
  const dropped = { pool: idsOf('pool'), history: idsOf('history'), drafts: idsOf('draft'), shortened: idsOf('terms') };
  return {
    parts: removeParts(parts, removed),
    tokens: best.tokens,
    dropped,
    legibility: dropped.shortened.length > 0 ? 'partial' : 'full',
  };
}

function removeParts(parts: readonly PromptPart[], removed: readonly PromptPart[]): readonly PromptPart[] {
  const removedParts = new Set(removed);
  return parts.flatMap((part) => {
    if (!removedParts.has(part)) return [part];
    return part.kind === 'terms' ? [{ ...part, text: shortenTerms(part.text, part.hash) }] : [];
  });
}

/** Keeps enough of a text to identify it and show how it starts. */
function shortenTerms(text: string, hash: string): string {
  const beginning = text.split('\n').slice(0, KEPT_LINES).join('\n').slice(0, KEPT_CHARACTERS).trimEnd();
  const shortText = `[shortened; the whole text is ${hash}]\n${beginning} …`;
  return shortText.length < text.length ? shortText : text;
}

function refuseTooSmall(limit: number, tokens: number): Refusal {
  return refuse(
    'context_too_small',
    `The message and its required context take ${tokens} tokens, but this model has room for only ${limit}. ` +
      'Choose a model with a larger context, or shorten the message.',
    { limit, promptTokens: tokens },
  );
}
