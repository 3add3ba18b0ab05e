import { refuse } from '../../../core/refusal.ts';
import type { Chat, Chunk, Completion, DoneChunk, ModelUsage, RawResponse, RefusedChunk } from '../../model.ts';
import type { ProviderCall } from '../call.ts';
import type { RemoteOptions } from '../options.ts';
import { type CallEnding, type CallSpec, type ProviderPiece, streamCall } from '../pieces.ts';
import { isBlank } from '../stop-filter.ts';
import { correctionFor } from './correction.ts';
import { type DroppableField, mergeQuirks, type QuirkBook, type Quirks } from './quirks.ts';

/** Asks a server once, in the fields that it takes. */
export type SendRequest<Request> = (
  request: Request,
  call: ProviderCall,
  signal: AbortSignal,
  quirks: Quirks,
) => AsyncIterable<ProviderPiece>;

/** Every refusal that is mended takes a field away or renames it, so this many is more than there can be. */
const MAX_REFUSALS = 16;
/** Where a limit was raised so that a model can think, its text still ends about where it was asked to. */
const BYTES_PER_TOKEN = 6;
const UNSURE = 'unsure';

/**
 * Asks as often as it takes (M11): without a field that the server refuses, or by its other name; and again for choices
 * that it left out, one request for each choice at most, each with a seed of its own.
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

  /** A refusal may say anything: what it said is remembered once a request that follows it was answered. */
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
    const message = `The model "${options.id}" gave ${spec.n - missingCount} of ${spec.n} texts, however often it was asked. Ask for fewer, or choose another model.`;
    return { type: 'refused', ...refuse('model_unavailable', message, { model: options.id }), fault: { again: false } };
  }
}

/** What was tried for a field in this call alone says nothing of what follows from it. */
function mergeCorrection(previous: Quirks | typeof UNSURE = {}, quirks: Quirks): Quirks | typeof UNSURE {
  return previous === UNSURE ? UNSURE : mergeQuirks(previous, quirks);
}

function choicesPerRequest({ without = [], most = {} }: Quirks, requested: number): number {
  return without.includes('n') ? 1 : Math.min(requested, most.n ?? requested);
}

function choiceBytesFor({ maxTokens }: Chat | Completion): Pick<CallSpec, 'choiceBytes'> {
  return maxTokens === undefined ? {} : { choiceBytes: maxTokens * BYTES_PER_TOKEN };
}

/** Where the server cannot be asked to stop, we do. Anthropic takes no stop text of blanks alone. */
function localStops({ stop = [] }: Chat | Completion, { without = [] }: Quirks, { provider }: RemoteOptions) {
  const stops = without.includes('stop') ? stop : provider === 'anthropic' ? stop.filter(isBlank) : [];
  return stops.length > 0 ? { stop: stops } : {};
}

/** The chunks of a request for some of the choices, by the places these have in the whole. */
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
