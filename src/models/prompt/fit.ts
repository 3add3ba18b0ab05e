import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';

/**
 * A piece of an input, by how dear it is (M10). `fixed` holds instructions and whatever else must stand; `awaiting` is
 * the message that waits for an answer. Within a kind the pieces that may go first come first.
 */
export type Part =
  | { readonly kind: 'fixed' | 'awaiting' | 'pool' | 'history' | 'draft'; readonly id: string; readonly text: string }
  | { readonly kind: 'terms'; readonly id: string; readonly text: string; readonly hash: string };

export interface Fitted {
  readonly parts: readonly Part[];
  readonly tokens: number;
  /** What the model does not get to see, by id. */
  readonly dropped: Dropped;
  /** Partial: some of the texts both sides must know are there by hash and first lines only (X3). */
  readonly legibility: 'full' | 'partial';
}

export interface Dropped {
  readonly pool: readonly string[];
  readonly history: readonly string[];
  readonly drafts: readonly string[];
  readonly shortened: readonly string[];
}

const NOTHING_DROPPED: Dropped = { pool: [], history: [], drafts: [], shortened: [] };
const ORDER = ['pool', 'history', 'draft', 'terms'] as const;
const FIRST_LINES = 3;
const FIRST_CHARACTERS = 200;

/**
 * Leaves out no more than it has to, and in the order that is promised, until the input has at most `limit` tokens.
 * `count` measures an input as the model would get it.
 */
export async function fitInput(
  parts: readonly Part[],
  limit: number,
  count: (parts: readonly Part[]) => Promise<number | Refusal>,
): Promise<Fitted | Refusal> {
  const whole = await count(parts);
  if (isRefusal(whole)) return whole;
  if (whole <= limit) return { parts, tokens: whole, dropped: NOTHING_DROPPED, legibility: 'full' };

  // What goes, in order; the fewest of these that are enough are found by halving.
  const going = ORDER.flatMap((kind) => parts.filter((part) => part.kind === kind));
  let enough: { readonly steps: number; readonly tokens: number } | undefined;
  let [low, high] = [1, going.length];
  while (low <= high) {
    const steps = enough === undefined && low === 1 && high === going.length ? high : (low + high) >> 1;
    const tokens = await count(without(parts, going.slice(0, steps)));
    if (isRefusal(tokens)) return tokens;
    if (tokens <= limit) {
      enough = { steps, tokens };
      high = steps - 1;
    } else if (steps === going.length) return tooSmall(limit, tokens);
    else low = steps + 1;
  }
  if (!enough) return tooSmall(limit, whole);

  const gone = going.slice(0, enough.steps);
  const ids = (kind: Part['kind']) => gone.filter((part) => part.kind === kind).map(({ id }) => id);
  const dropped = { pool: ids('pool'), history: ids('history'), drafts: ids('draft'), shortened: ids('terms') };
  return {
    parts: without(parts, gone),
    tokens: enough.tokens,
    dropped,
    legibility: dropped.shortened.length > 0 ? 'partial' : 'full',
  };
}

function without(parts: readonly Part[], gone: readonly Part[]): readonly Part[] {
  const going = new Set(gone);
  return parts.flatMap((part) => {
    if (!going.has(part)) return [part];
    return part.kind === 'terms' ? [{ ...part, text: shortened(part.text, part.hash) }] : [];
  });
}

/** Enough to know which text it is and how it begins. */
function shortened(text: string, hash: string): string {
  const beginning = text.split('\n').slice(0, FIRST_LINES).join('\n').slice(0, FIRST_CHARACTERS).trimEnd();
  const short = `[shortened; the whole text is ${hash}]\n${beginning} …`;
  return short.length < text.length ? short : text;
}

function tooSmall(limit: number, tokens: number): Refusal {
  return refuse(
    'context_too_small',
    `The message and what must stand beside it take ${tokens} tokens, and this model has room for ${limit}. ` +
      'Choose a model with a larger context, or shorten the message.',
    { limit, promptTokens: tokens },
  );
}
