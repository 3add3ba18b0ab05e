import type { RoundCall, WireEvent } from '../../../src/client/index.ts';
import { readPartialOutput } from '../../../src/core/pool/partial-output.ts';
import type { GrowingText } from '../../data/live-texts.ts';

/** What a mind said in a round that is not over, so that its thoughts have no number yet. */
export type SpokenCall = Pick<RoundCall, 'author' | 'outcome' | 'small' | 'restart' | 'problem' | 'event'> & {
  readonly round: number;
  readonly texts: readonly string[];
};

/** An audit while it is written, or until the page has loaded it. */
export interface LiveAudit {
  readonly audit: number;
  readonly round: number;
  readonly text: string;
}

/** One mind's part of the round under way. */
export interface LivePart {
  readonly mind: string;
  readonly call?: SpokenCall;
  /** Present while the mind writes. */
  readonly writing?: LiveThoughts;
}

interface LiveThoughts {
  readonly texts: readonly string[];
  readonly since: number;
  readonly isCut: boolean;
}

/** What was read of a text is read once, and stays the same until the text grows. */
const thoughtsOfText = new WeakMap<GrowingText, LiveThoughts>();

export function spokenCallOf({ type, from, id, content }: WireEvent): SpokenCall | undefined {
  if (type !== 'mind.spoke') return undefined;
  const { thoughts, ...call } = content as unknown as Omit<SpokenCall, 'texts'> & { thoughts: readonly string[] };
  return { ...call, author: from, event: id, texts: thoughts };
}

/** Who has spoken and who writes in this round, in the order of the minds. */
export function liveParts(
  minds: readonly string[],
  round: number,
  spoken: readonly SpokenCall[],
  texts: readonly GrowingText[],
): readonly LivePart[] {
  const calls = new Map(spoken.filter((call) => call.round === round).map((call) => [call.author, call]));
  const writing = new Map(texts.filter(({ purpose }) => purpose === 'mind').map((text) => [text.from, text]));
  const everyone = [...new Set([...minds, ...calls.keys(), ...writing.keys()])];
  return everyone.flatMap((mind): LivePart[] => {
    const [call, text] = [calls.get(mind), writing.get(mind)];
    if (call) return [{ mind, call }];
    return text ? [{ mind, writing: readThoughts(text) }] : [];
  });
}

function readThoughts(text: GrowingText): LiveThoughts {
  const known = thoughtsOfText.get(text);
  if (known) return known;
  const thoughts = { texts: thoughtsIn(text.text), since: text.since, isCut: text.start > 0 };
  thoughtsOfText.set(text, thoughts);
  return thoughts;
}

/** A mind that answers in prose has one thought. */
function thoughtsIn(text: string): readonly string[] {
  const { thoughts, draft } = readPartialOutput(text);
  return thoughts.length > 0 || draft === undefined ? thoughts : [draft];
}
