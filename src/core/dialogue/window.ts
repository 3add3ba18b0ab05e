import type { Config } from './config.ts';
import type { Draft } from './drafts.ts';
import { latestReply, type Turn } from './state.ts';

/** A draft as the mind is shown it: whole, or its two ends. */
export interface Entry {
  readonly draft: Draft;
  readonly text: string;
}

type Limits = Pick<Config, 'draft_display_chars' | 'draft_display_count'>;

/** The newest drafts until characters or entries run out, one always; listed oldest to newest (D12, D19). */
export function windowOf({ drafts, cleared }: Turn, limits: Limits, spare: Spare = NOTHING): readonly Entry[] {
  const entries: Entry[] = [];
  let room = limits.draft_display_chars - spare.chars;
  const most = limits.draft_display_count - spare.entries;
  for (const draft of drafts.newestFirst()) {
    if (draft.index <= cleared || entries.length === most) break;
    const first = entries.length === 0 && spare.entries === 0;
    if (draft.text.length > room && !first) break;
    const text = draft.text.length > room ? ends(draft.text, room) : draft.text;
    entries.push({ draft, text });
    room -= draft.text.length;
  }
  return entries.reverse();
}

/** Where the reply that a person would accept stands: safe in the mind's window, about to leave it, or gone (D13). */
export function standing(turn: Turn, limits: Limits): 'safe' | 'leaving' | 'gone' | undefined {
  const best = latestReply(turn);
  if (!best) return undefined;
  const shows = (spare: Spare) => windowOf(turn, limits, spare).some(({ draft }) => draft.index === best.index);
  if (!shows(NOTHING)) return 'gone';
  return shows(ONE_MORE) ? 'safe' : 'leaving';
}

interface Spare {
  readonly entries: number;
  readonly chars: number;
}
const NOTHING: Spare = { entries: 0, chars: 0 };
/** Room for one `+1` on top of what is there. */
const ONE_MORE: Spare = { entries: 1, chars: 2 };

/** Its first and last characters, as many of each, with a mark of what is missing; never half a character. */
function ends(text: string, chars: number): string {
  const half = Math.floor(chars / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(-half).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… ${text.length - head.length - tail.length} characters not shown …]\n${tail}`;
}
