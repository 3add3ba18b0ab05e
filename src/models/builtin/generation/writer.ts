import {
  type Chunk,
  type EndChunk,
  type FramePart,
  type FrameText,
  type Hole,
  isHole,
  type Token,
} from '../../model.ts';
import type { Scores } from '../small/transformer.ts';
import type { Masks } from './masks.ts';
import type { Draw, Drawn, Mask } from './sampler.ts';
import { createOutlet, type Outlet } from './text-output.ts';
import { BEGIN, END, type Tokenizer } from './tokenizer.ts';

/** One choice as it grows: draws tokens from scores, writes what the frame says, knows when to end. */
export interface Writer {
  /** Goes as far as it can; returns the tokens the model must read before there is more, none when it has ended. */
  take(scores: Scores): readonly number[];
  cancel(): void;
  readonly ended: boolean;
  readonly generated: number;
}

export interface Plan {
  readonly choice: number;
  readonly parts: readonly FramePart[];
  /** A frame's holes obey rules that free text does not. */
  readonly framed: boolean;
  /** The space the prompt ended with: it is left to the first token, which is where models expect it. */
  readonly owed: string;
  readonly draw: Draw;
}

interface Tools {
  readonly tokenizer: Tokenizer;
  readonly masks: Masks;
  readonly sample: (scores: Scores, draw: Draw, mask: Mask, random: () => number) => Drawn;
  readonly random: () => number;
  readonly send: (chunk: Chunk) => void;
}

/** What the text of a hole does not begin with; free text keeps all but the space that was there before. */
const BLANK = /^\s+/;
const SPACE = /^ /;
const NOTHING = /^/;

export function createWriter({ choice, parts, framed, owed, draw }: Plan, tools: Tools): Writer {
  const { tokenizer, masks, sample, random, send } = tools;
  let at = 0;
  let owes = owed;
  let filling: { readonly hole: Hole; readonly outlet: Outlet; left: number } | undefined;
  let reason: EndChunk['reason'] = 'stop';
  let ended = false;
  let generated = 0;

  function take(scores: Scores): readonly number[] {
    const reading: number[] = [];
    while (!ended && (reading.length === 0 || !filling)) {
      const part = parts[at];
      if (part === undefined) end(reason);
      else if (!isHole(part)) reading.push(...write(part));
      else if (reading.length > 0) break;
      else reading.push(...fill(part, scores));
    }
    return ended ? [] : reading;
  }

  function write(part: FrameText): readonly number[] {
    at++;
    if (part.write !== '') send({ type: 'text', choice, text: part.write, framed: true });
    const read = part.read ?? part.write;
    if (read === '') return [];
    const [text, space] = withoutLastSpace(read, parts[at]);
    owes = space;
    return tokenizer.encode(text, true);
  }

  /** Draws one token for a hole; returns what the model must read of it. */
  function fill(hole: Hole, scores: Scores): readonly number[] {
    filling ??= { hole, outlet: outletFor(hole), left: hole.maxTokens };
    const first = filling.left === hole.maxTokens;
    const { token, ...rest } = sample(scores, draw, maskFor(hole, first), random);
    generated++;
    filling.left--;
    if (token === BEGIN || token === END) return leave('stop', []);
    const { stopped, kept } = filling.outlet.push(tokenizer.bytesOf(token), described(rest));
    if (stopped) return leave('stop', tokenizer.encode(kept, true));
    return filling.left === 0 ? leave('length', [token]) : [token];
  }

  function leave(why: 'stop' | 'length', read: readonly number[]): readonly number[] {
    filling?.outlet.flush();
    filling = undefined;
    owes = '';
    if (why === 'length') reason = 'length';
    at++;
    return read;
  }

  function maskFor({ stop = [] }: Hole, first: boolean): Mask {
    if (!framed) return masks.free(first ? owes : '');
    return first ? masks.first(stop, owes) : masks.within;
  }

  function outletFor({ stop = [], lineBreak }: Hole): Outlet {
    const written = (text: string) => (lineBreak === undefined ? text : text.replaceAll('\n', lineBreak));
    return createOutlet(stop, framed ? BLANK : owes === '' ? NOTHING : SPACE, (text, tokens) =>
      send({ type: 'text', choice, text: written(text), ...(tokens && { tokens }) }),
    );
  }

  function described({ logprob, alternatives }: Omit<Drawn, 'token'>): Omit<Token, 'text'> | undefined {
    if (draw.alternatives === undefined) return undefined;
    const named = alternatives.map((other) => ({ text: tokenizer.textOf(other.token), logprob: other.logprob }));
    return { logprob, alternatives: named };
  }

  function end(why: EndChunk['reason']): void {
    if (ended) return;
    ended = true;
    send({ type: 'end', choice, reason: why });
  }

  return {
    take,
    cancel() {
      filling?.outlet.flush();
      end('cancelled');
    },
    get ended() {
      return ended;
    },
    get generated() {
      return generated;
    },
  };
}

/** Where a hole follows, a space before it belongs to the first word in it: pieces begin with their space. */
export function withoutLastSpace(text: string, next: FramePart | undefined): readonly [text: string, space: string] {
  return next && isHole(next) && text.endsWith(' ') ? [text.slice(0, -1), ' '] : [text, ''];
}
