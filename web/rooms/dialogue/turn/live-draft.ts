import { signalOf } from '../../../../src/core/dialogue/turns/drafts.ts';
import { type PartialOutput, readPartialOutput } from '../../../../src/core/pool/partial-output.ts';
import type { GrowingText } from '../../../data/live-texts.ts';

/** What the mind writes right now. */
export interface LiveDraft extends PartialOutput {
  /** Since when, in milliseconds. */
  readonly since: number;
  /** The beginning was written before this page was looking. */
  readonly isCut: boolean;
}

/** What was read of a text is read once, though several parts of the page show some of it. */
const outputs = new WeakMap<GrowingText, PartialOutput>();

/** A shorter beginning may still become "+1" or a word in capitals, which are signals and not drafts. */
const MIN_DRAFT_CHARS = 20;

export function readLiveDraft(texts: readonly GrowingText[], mind: string, hasReply: boolean): LiveDraft | undefined {
  const live = texts.find(({ from, purpose }) => from === mind && purpose === 'mind');
  if (!live) return undefined;
  const { start, since } = live;
  const { thoughts, draft } = readOutput(live);
  const isDraft = draft !== undefined && !couldBeSignal(draft, hasReply);
  return { thoughts, ...(isDraft && { draft }), since, isCut: start > 0 };
}

function readOutput(live: GrowingText): PartialOutput {
  const known = outputs.get(live);
  if (known) return known;
  const output = live.start === 0 ? readPartialOutput(live.text) : readFromMiddle(live.text);
  outputs.set(live, output);
  return output;
}

/** Without its beginning, only what stands behind the key is surely a draft. */
function readFromMiddle(text: string): PartialOutput {
  const json = text.search(/"draft"\s*:/);
  if (json >= 0) return readPartialOutput(`{${text.slice(json)}`);
  const yaml = text.search(/^draft:/m);
  return yaml >= 0 ? readPartialOutput(text.slice(yaml)) : { thoughts: [] };
}

function couldBeSignal(draft: string, hasReply: boolean): boolean {
  const text = draft.trim();
  if ('+1'.startsWith(text)) return true;
  return hasReply && text.length < MIN_DRAFT_CHARS && signalOf(text, true) !== null;
}
