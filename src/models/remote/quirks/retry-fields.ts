import { refuse } from '../../../core/refusal.ts';
import type { Chat, Chunk, Completion, DoneChunk, ModelUsage, RawResponse, RefusedChunk } from '../../model.ts';
import type { ProviderCall } from '../call.ts';
import type { RemoteOptions } from '../options.ts';
import { type CallEnding, type CallSpec, type ProviderPiece, streamCall } from '../pieces.ts';
import { isBlank } from '../stop-filter.ts';
import { correctionFor } from './correction.ts';
import { type DroppableField, mergeQuirks, type QuirkBook, type Quirks } from './quirks.ts';

/** Sends one request, using the fields that the server accepts. */
export type SendRequest<Request> = (
  request: Request,
  call: ProviderCall,
  signal: AbortSignal,
  quirks: Quirks,
) => AsyncIterable<ProviderPiece>;

/** Every corrected refusal removes or renames a field, so there can never be this many. */
const MAX_REFUSALS = 16;
/** If a limit was raised so that a model can think, its text still ends near the requested limit. */
const BYTES_PER_TOKEN = 6;
const UNSURE = 'unsure';

/**
 * Repeats a request as needed (M11): without a field that the server refuses, or with its other name; and again for
 * missing choices, at most one request per choice, each with its own seed.
 */
export async function* streamWithFieldRetries<Request extends Chat | Completion>(
  options: RemoteOptions,
  quirkBook: QuirkBook,
  request: Request,
  spec: CallSpec,
  signal: AbortSignal | undefined,
  send: SendRequest<Request>,
): AsyncGenerator<Chunk> {
  const failedResponses: RawResponse[] = [];
  const earlierResponses: RawResponse[] = [];
  let remainingChoices = Array.from({ length: spec.n }, (_, choice) => choice);
  const corrections = new Map<DroppableField, Quirks | typeof UNSURE>();
  let callQuirks: Quirks = {};
  let totalUsage: ModelUsage | undefined;
  let maxAnswers = spec.n;
  for (let answerCount = 0; ; ) {
    const quirks = mergeQuirks(quirkBook.quirks, callQuirks);
    const choices = remainingChoices.slice(0, choicesPerRequest(quirks, remainingChoices.length));
    const attempt = {
      ...request,
      n: choices.length,
      ...(answerCount > 0 && { seed: (request.seed ?? randomSeed()) + answerCount }),
    };
    const attemptSpec = {
      ...spec,
      n: choices.length,
      ...(quirks.thinks ? choiceBytesFor(request) : { needsText: true as const }),
      ...localStops(request, quirks, options),
    };
    const outcome = yield* renumberChoices(
      streamCall(options, attemptSpec, signal, (call, callSignal) => send(attempt, call, callSignal, quirks)),
      choices,
    );
    const { lastChunk, missing, starved, refusedField } = outcome;
    if (lastChunk.type === 'refused') {
      const correction =
        failedResponses.length < MAX_REFUSALS && refusedField && correctionFor(refusedField, quirks, options.provider);
      if (!correction) return void (yield withTotals(lastChunk));
      callQuirks = mergeQuirks(callQuirks, correction.quirks);
      corrections.set(
        refusedField.field,
        correction.isPermanent ? mergeCorrection(corrections.get(refusedField.field), correction.quirks) : UNSURE,
      );
      if (lastChunk.raw) failedResponses.push(lastChunk.raw);
      continue;
    }
    if (outcome.hasOutput || !signal?.aborted) learnCorrections();
    remainingChoices = [
      ...missing.map((choice) => choices[choice] as number),
      ...remainingChoices.slice(choices.length),
    ];
    if (signal?.aborted)
      for (const choice of remainingChoices.splice(0)) yield { type: 'end', choice, reason: 'cancelled' };
    if (lastChunk.cut) for (const choice of remainingChoices.splice(0)) yield { type: 'end', choice, reason: 'length' };
    if (remainingChoices.length === 0) return void (yield withTotals(lastChunk));
    learnFromOutcome(outcome, choices.length, quirks);
    answerCount++;
    totalUsage = addUsage(totalUsage, lastChunk.usage);
    if (lastChunk.raw) earlierResponses.push(lastChunk.raw);
    if (starved) maxAnswers++;
    if (answerCount >= maxAnswers) return void (yield withTotals(refuseTooFew(remainingChoices.length)));
  }

  /** A refusal may be wrong, so its correction is remembered only after a later request succeeded. */
  function learnCorrections(): void {
    const confirmed = [...corrections].filter((each): each is [DroppableField, Quirks] => each[1] !== UNSURE);
    for (const [field] of confirmed) corrections.delete(field);
    if (confirmed.length > 0) quirkBook.learn(confirmed.map(([, quirks]) => quirks).reduce(mergeQuirks));
  }

  function learnFromOutcome({ missing, starved }: CallEnding, n: number, quirks: Quirks): void {
    if (starved && !quirks.thinks) quirkBook.learn({ thinks: true });
    else if (missing.length > 0 && n > 1) quirkBook.learn({ most: { n: Math.max(1, n - missing.length) } });
  }

  function withTotals<EndingChunk extends DoneChunk | RefusedChunk>(chunk: EndingChunk): EndingChunk {
    const usage = chunk.usage ? addUsage(totalUsage, chunk.usage) : totalUsage;
    return {
      ...chunk,
      ...(usage && { usage }),
      ...(earlierResponses.length > 0 && { earlier: earlierResponses }),
      ...(failedResponses.length > 0 && { failed: failedResponses }),
    };
  }

  function refuseTooFew(missingCount: number): RefusedChunk {
    const message = `The model "${options.id}" returned ${spec.n - missingCount} of ${spec.n} texts, even after several requests. Ask for fewer, or choose another model.`;
    return { type: 'refused', ...refuse('model_unavailable', message, { model: options.id }), fault: { again: false } };
  }
}

/** After a field was changed for this call alone, later corrections of it prove nothing. */
function mergeCorrection(previous: Quirks | typeof UNSURE = {}, quirks: Quirks): Quirks | typeof UNSURE {
  return previous === UNSURE ? UNSURE : mergeQuirks(previous, quirks);
}

function choicesPerRequest({ without = [], most = {} }: Quirks, requested: number): number {
  return without.includes('n') ? 1 : Math.min(requested, most.n ?? requested);
}

function choiceBytesFor({ maxTokens }: Chat | Completion): Pick<CallSpec, 'choiceBytes'> {
  return maxTokens === undefined ? {} : { choiceBytes: maxTokens * BYTES_PER_TOKEN };
}

/** Stop texts applied here because the server cannot be asked to. Anthropic accepts no stop text of only whitespace. */
function localStops({ stop = [] }: Chat | Completion, { without = [] }: Quirks, { provider }: RemoteOptions) {
  const stops = without.includes('stop') ? stop : provider === 'anthropic' ? stop.filter(isBlank) : [];
  return stops.length > 0 ? { stop: stops } : {};
}

/** Maps the chunks of a request for some of the choices to their numbers in the whole. */
async function* renumberChoices(
  chunks: AsyncGenerator<Chunk, CallEnding>,
  choices: readonly number[],
): AsyncGenerator<Chunk, CallEnding> {
  try {
    for (;;) {
      const { value, done } = await chunks.next();
      if (done) return value;
      yield 'choice' in value ? { ...value, choice: choices[value.choice] as number } : value;
    }
  } finally {
    await chunks.return(undefined as never);
  }
}

function addUsage(a: ModelUsage | undefined, b: ModelUsage): ModelUsage {
  if (!a) return b;
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    generatedTokens: a.generatedTokens + b.generatedTokens,
    ...((a.estimated || b.estimated) && { estimated: true }),
  };
}

function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
