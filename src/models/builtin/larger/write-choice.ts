import { type Chunk, type EndChunk, type FrameHole, isHole } from '../../model.ts';
import type { GenerationPlan } from '../generation/plan.ts';
import { createHoleOutput } from '../generation/text-output.ts';
import { withoutLastSpace } from '../generation/writer.ts';
import { holeGrammar, spaceGrammar } from './grammar.ts';
import type { LlamaEvaluateOptions, LoadedLlama } from './llama.ts';
import type { LlamaVocabulary } from './vocabulary.ts';

export interface ChoiceContext {
  readonly loaded: LoadedLlama;
  readonly vocabulary: LlamaVocabulary;
  /** Returns a new seed for each hole. */
  readonly seed: () => number;
  readonly isCancelled: () => boolean;
  readonly send: (chunk: Chunk) => void;
  /** Called after every token. */
  readonly onToken: () => void;
}

/**
 * Writes one choice, given a prompt whose tokens have all been read except the last; returns how many tokens were
 * generated. The model chooses only in holes, where a grammar restricts it to valid text.
 */
export async function writeChoice(plan: GenerationPlan, choice: number, context: ChoiceContext): Promise<number> {
  const { loaded, vocabulary, seed, isCancelled, send, onToken } = context;
  const { sequence } = loaded;
  let unread = plan.tokens.slice(-1);
  let pendingSpace = plan.pendingSpace;
  let reason: EndChunk['reason'] = 'stop';
  let generated = 0;

  for (const [index, part] of plan.parts.entries()) {
    if (isCancelled()) break;
    if (isHole(part)) {
      unread = await fillHole(part);
      pendingSpace = '';
    } else {
      if (part.write !== '') send({ type: 'text', choice, text: part.write, framed: true });
      const [text, space] = withoutLastSpace(part.read ?? part.write, plan.parts[index + 1]);
      if (text + space !== '') pendingSpace = space;
      unread = [...unread, ...vocabulary.encode(text, true)];
    }
  }
  send({ type: 'end', choice, reason: isCancelled() ? 'cancelled' : reason });
  return generated;

  /** Returns the tokens that have not been read yet. */
  async function fillHole(hole: FrameHole): Promise<number[]> {
    const { stop = [] } = hole;
    const output = createHoleOutput(hole, { framed: plan.framed, pendingSpace }, (text) =>
      send({ type: 'text', choice, text }),
    );
    let remaining = hole.maxTokens;
    for await (const token of sequence.evaluate(await ensureUnread(unread), await evaluateOptionsFor(stop))) {
      generated++;
      remaining--;
      onToken();
      if (vocabulary.isEnd(token)) return finish([]);
      const { stopped, keptText: kept } = output.push(vocabulary.bytesOf(token));
      if (stopped) return finish(vocabulary.encode(kept, true));
      if (isCancelled()) return finish([]);
      if (remaining === 0) {
        reason = 'length';
        return finish([token]);
      }
    }
    return finish([]);

    function finish(unreadTokens: number[]): number[] {
      output.flush();
      return unreadTokens;
    }
  }

  async function evaluateOptionsFor(stop: readonly string[]): Promise<LlamaEvaluateOptions> {
    const { temperature, topP, topK } = plan.drawOptions;
    const grammar = plan.framed
      ? holeGrammar(stop, pendingSpace)
      : pendingSpace === ''
        ? undefined
        : spaceGrammar(pendingSpace);
    const state = grammar === undefined ? undefined : await loaded.createGrammarState(grammar);
    const sampling = { temperature, topP, topK, seed: seed(), yieldEogToken: true } as const;
    return { ...sampling, ...(state && { grammarEvaluationState: state }) };
  }

  /** The library continues only from a token it has just read; if none is left, it reads its last one again. */
  async function ensureUnread(tokens: readonly number[]): Promise<readonly number[]> {
    if (tokens.length > 0) return tokens;
    const last = sequence.contextTokens.at(-1) as number;
    await sequence.eraseContextTokenRanges([{ start: sequence.nextTokenIndex - 1, end: sequence.nextTokenIndex }]);
    return [last];
  }
}
