import { refuse } from '../../../core/refusal.ts';
import type { Chat, Chunk, Completion, DoneChunk, RawResponse, RefusedChunk, Usage } from '../../model.ts';
import type { Call } from '../call.ts';
import type { RemoteOptions } from '../options.ts';
import { type Asked, type Ending, type Piece, playPieces } from '../pieces.ts';
import { isBlank } from '../stop-filter.ts';
import { mendingOf } from './correction.ts';
import { type Droppable, mergeQuirks, type QuirkBook, type Quirks } from './quirks.ts';

/** Asks a server once, in the fields that it takes. */
export type Ask<Request> = (request: Request, call: Call, signal: AbortSignal, quirks: Quirks) => AsyncIterable<Piece>;

/** Every refusal that is mended takes a field away or renames it, so this many is more than there can be. */
const MOST_REFUSALS = 16;
/** Where a limit was raised so that a model can think, its text still ends about where it was asked to. */
const BYTES_PER_TOKEN = 6;
const UNSURE = 'unsure';

/**
 * Asks as often as it takes (M11): without a field that the server refuses, or by its other name; and again for choices
 * that it left out, one request for each choice at most, each with a seed of its own.
 */
export async function* playForgiving<Request extends Chat | Completion>(
  options: RemoteOptions,
  book: QuirkBook,
  request: Request,
  asked: Asked,
  signal: AbortSignal | undefined,
  ask: Ask<Request>,
): AsyncGenerator<Chunk> {
  const failed: RawResponse[] = [];
  const earlier: RawResponse[] = [];
  let left = Array.from({ length: asked.n }, (_, choice) => choice);
  const found = new Map<Droppable, Quirks | typeof UNSURE>();
  let forThisCall: Quirks = {};
  let used: Usage | undefined;
  let most = asked.n;
  for (let answers = 0; ; ) {
    const quirks = mergeQuirks(book.known, forThisCall);
    const places = left.slice(0, atOnce(quirks, left.length));
    const one = { ...request, n: places.length, ...(answers > 0 && { seed: (request.seed ?? drawSeed()) + answers }) };
    const about = {
      ...asked,
      n: places.length,
      ...(quirks.thinks ? choiceLimit(request) : { needsText: true as const }),
      ...ownStops(request, quirks, options),
    };
    const ending = yield* placed(
      playPieces(options, about, signal, (call, inner) => ask(one, call, inner, quirks)),
      places,
    );
    const { last, missing, starved, refusedFor } = ending;
    if (last.type === 'refused') {
      const mending = failed.length < MOST_REFUSALS && refusedFor && mendingOf(refusedFor, quirks, options.provider);
      if (!mending) return void (yield whole(last));
      forThisCall = mergeQuirks(forThisCall, mending.quirks);
      found.set(refusedFor.field, mending.lasts ? mended(found.get(refusedFor.field), mending.quirks) : UNSURE);
      if (last.raw) failed.push(last.raw);
      continue;
    }
    if (ending.began || !signal?.aborted) learnMended();
    left = [...missing.map((choice) => places[choice] as number), ...left.slice(places.length)];
    if (signal?.aborted) for (const choice of left.splice(0)) yield { type: 'end', choice, reason: 'cancelled' };
    if (last.cut) for (const choice of left.splice(0)) yield { type: 'end', choice, reason: 'length' };
    if (left.length === 0) return void (yield whole(last));
    learnFrom(ending, places.length, quirks);
    answers++;
    used = plus(used, last.usage);
    if (last.raw) earlier.push(last.raw);
    if (starved) most++;
    if (answers >= most) return void (yield whole(tooFew(left.length)));
  }

  /** A refusal may say anything: what it said is remembered once a request that follows it was answered. */
  function learnMended(): void {
    const sure = [...found].filter((each): each is [Droppable, Quirks] => each[1] !== UNSURE);
    for (const [field] of sure) found.delete(field);
    if (sure.length > 0) book.learn(sure.map(([, quirks]) => quirks).reduce(mergeQuirks));
  }

  function learnFrom({ missing, starved }: Ending, n: number, quirks: Quirks): void {
    if (starved && !quirks.thinks) book.learn({ thinks: true });
    else if (missing.length > 0 && n > 1) book.learn({ most: { n: Math.max(1, n - missing.length) } });
  }

  function whole<Last extends DoneChunk | RefusedChunk>(last: Last): Last {
    const usage = last.usage ? plus(used, last.usage) : used;
    return {
      ...last,
      ...(usage && { usage }),
      ...(earlier.length > 0 && { earlier }),
      ...(failed.length > 0 && { failed }),
    };
  }

  function tooFew(number: number): RefusedChunk {
    const message = `The model "${options.id}" gave ${asked.n - number} of ${asked.n} texts, however often it was asked. Ask for fewer, or choose another model.`;
    return { type: 'refused', ...refuse('model_unavailable', message, { model: options.id }), fault: { again: false } };
  }
}

/** What was tried for a field in this call alone says nothing of what follows from it. */
function mended(before: Quirks | typeof UNSURE = {}, quirks: Quirks): Quirks | typeof UNSURE {
  return before === UNSURE ? UNSURE : mergeQuirks(before, quirks);
}

function atOnce({ without = [], most = {} }: Quirks, wanted: number): number {
  return without.includes('n') ? 1 : Math.min(wanted, most.n ?? wanted);
}

function choiceLimit({ maxTokens }: Chat | Completion): Pick<Asked, 'choiceBytes'> {
  return maxTokens === undefined ? {} : { choiceBytes: maxTokens * BYTES_PER_TOKEN };
}

/** Where the server cannot be asked to stop, we do. Anthropic takes no stop text of blanks alone. */
function ownStops({ stop = [] }: Chat | Completion, { without = [] }: Quirks, { provider }: RemoteOptions) {
  const own = without.includes('stop') ? stop : provider === 'anthropic' ? stop.filter(isBlank) : [];
  return own.length > 0 ? { stop: own } : {};
}

/** The chunks of a request for some of the choices, by the places these have in the whole. */
async function* placed(
  chunks: AsyncGenerator<Chunk, Ending>,
  places: readonly number[],
): AsyncGenerator<Chunk, Ending> {
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) return value;
      yield 'choice' in value ? { ...value, choice: places[value.choice] as number } : value;
    }
  } finally {
    await chunks.return(undefined as never);
  }
}

function plus(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b;
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    ...((a.estimated || b.estimated) && { estimated: true }),
  };
}

function drawSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
