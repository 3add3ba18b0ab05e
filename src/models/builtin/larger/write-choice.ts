import { type Chunk, type EndChunk, type Hole, isHole } from '../../model.ts';
import type { Work } from '../generation/plan.ts';
import { createOutlet } from '../generation/text-output.ts';
import { withoutLastSpace } from '../generation/writer.ts';
import { holeGrammar, owedGrammar } from './grammar.ts';
import type { EvaluateOptions, Loaded } from './llama.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Desk {
  readonly loaded: Loaded;
  readonly vocabulary: Vocabulary;
  /** A new one for each hole. */
  readonly seed: () => number;
  readonly isCancelled: () => boolean;
  readonly send: (chunk: Chunk) => void;
  /** Called after every token. */
  readonly stepped: () => void;
}

/** What the text of a hole does not begin with; free text keeps all but the space that was there before. */
const BLANK = /^\s+/;
const SPACE = /^ /;
const NOTHING = /^/;

/**
 * Writes one choice, from a prompt of which all but the last token has been read; returns how many tokens were made. Only
 * in holes does the model choose, and there a grammar keeps it to what fits.
 */
export async function writeChoice(work: Work, choice: number, desk: Desk): Promise<number> {
  const { loaded, vocabulary, seed, isCancelled, send, stepped } = desk;
  const { sequence } = loaded;
  let unread = work.tokens.slice(-1);
  let owed = work.owed;
  let reason: EndChunk['reason'] = 'stop';
  let generated = 0;

  for (const [at, part] of work.parts.entries()) {
    if (isCancelled()) break;
    if (isHole(part)) {
      unread = await fill(part);
      owed = '';
    } else {
      if (part.write !== '') send({ type: 'text', choice, text: part.write, framed: true });
      const [text, space] = withoutLastSpace(part.read ?? part.write, work.parts[at + 1]);
      if (text + space !== '') owed = space;
      unread = [...unread, ...vocabulary.encode(text, true)];
    }
  }
  send({ type: 'end', choice, reason: isCancelled() ? 'cancelled' : reason });
  return generated;

  /** Returns what of it has not been read yet. */
  async function fill(hole: Hole): Promise<number[]> {
    const { stop = [], lineBreak, maxTokens } = hole;
    const lead = work.framed ? BLANK : owed === '' ? NOTHING : SPACE;
    const outlet = createOutlet(stop, lead, (text) =>
      send({ type: 'text', choice, text: lineBreak === undefined ? text : text.replaceAll('\n', lineBreak) }),
    );
    let left = maxTokens;
    for await (const token of sequence.evaluate(await something(unread), await optionsFor(stop))) {
      generated++;
      left--;
      stepped();
      if (vocabulary.isEnd(token)) return done([]);
      const { stopped, kept } = outlet.push(vocabulary.bytesOf(token));
      if (stopped) return done(vocabulary.encode(kept, true));
      if (isCancelled()) return done([]);
      if (left === 0) {
        reason = 'length';
        return done([token]);
      }
    }
    return done([]);

    function done(rest: number[]): number[] {
      outlet.flush();
      return rest;
    }
  }

  async function optionsFor(stop: readonly string[]): Promise<EvaluateOptions> {
    const { temperature, topP, topK } = work.draw;
    const grammar = work.framed ? holeGrammar(stop, owed) : owed === '' ? undefined : owedGrammar(owed);
    const state = grammar === undefined ? undefined : await loaded.obey(grammar);
    const sampling = { temperature, topP, topK, seed: seed(), yieldEogToken: true } as const;
    return { ...sampling, ...(state && { grammarEvaluationState: state }) };
  }

  /** The library goes on only from a token it has just read: where none is left, it reads its last one again. */
  async function something(tokens: readonly number[]): Promise<readonly number[]> {
    if (tokens.length > 0) return tokens;
    const last = sequence.contextTokens.at(-1) as number;
    await sequence.eraseContextTokenRanges([{ start: sequence.nextTokenIndex - 1, end: sequence.nextTokenIndex }]);
    return [last];
  }
}
