import type { AcceptedPair, EntryItem, WireEvent } from '../../src/client/index.ts';
import { authorLabelOf } from '../../src/core/events/event.ts';
import { threadContent } from '../../src/core/threads/content.ts';

/** One passage of an exported text: its author, time and words. */
export interface ExportPassage {
  readonly by: string;
  readonly ts?: string;
  /** A label for the passage, if it needs one. */
  readonly as?: string;
  readonly text: string;
}

export function formatTitle(title: string): string {
  return `# ${title.replace(/\s+/g, ' ')}\n`;
}

/** Text written in Markdown is exported unchanged. */
export function formatPassages(passages: readonly ExportPassage[]): string {
  return passages
    .map(({ by, ts, as, text }) => {
      const head = [`**${by}**`, as, ts && new Date(ts).toISOString().slice(0, 16).replace('T', ' ')].filter(Boolean);
      return `\n${head.join(', ')}\n\n${text.trim()}\n`;
    })
    .join('');
}

export function messagePassages(events: readonly WireEvent[]): readonly ExportPassage[] {
  return events.flatMap((event) => {
    const { type, ts } = event;
    if (type !== 'message' && type !== 'task' && type !== 'result') return [];
    const content = threadContent(event, type);
    const { text = '', status = '' }: ExportMessageContent =
      typeof content === 'string' ? { text: event.edited?.text ?? content } : (content ?? {});
    const as = type === 'message' ? undefined : [type, status].filter(Boolean).join(' ');
    return [{ by: authorLabelOf(event), ts, text: text || status, ...(as && { as }) }];
  });
}

interface ExportMessageContent {
  readonly text?: string | undefined;
  readonly status?: string | undefined;
}

type ExportTurn = Pick<AcceptedPair, 'message' | 'reply' | 'by' | 'ts'>;

/** Messages and accepted drafts, and the message that is still waiting. */
export function turnPassages(
  turns: readonly ExportTurn[],
  pendingMessage?: Omit<ExportPassage, 'as'>,
): readonly ExportPassage[] {
  const passages = turns.flatMap(({ message, reply, by, ts }): readonly ExportPassage[] => [
    { by, text: message },
    { by: 'The mind', as: `accepted by ${by}`, ts, text: reply },
  ]);
  return pendingMessage ? [...passages, { ...pendingMessage, as: 'not yet answered' }] : passages;
}

interface ExportRound {
  readonly round: number;
  readonly thoughts: readonly { readonly id: number; readonly author: string; readonly text: string }[];
}
type ExportEntry = Pick<EntryItem, 'type' | 'by' | 'ts' | 'round' | 'text'>;

/** Rounds in order, each with the messages that followed it. */
export function roundPassages(
  rounds: readonly ExportRound[],
  entries: readonly ExportEntry[],
): readonly ExportPassage[] {
  const byRound = Map.groupBy(entries, ({ round }) => round);
  const entryPassages = (round: number) =>
    (byRound.get(round) ?? []).map(({ type, by, ts, text }) => ({ by, ts, as: type.replaceAll('_', ' '), text }));
  const thoughtPassage = ({ round, thoughts }: ExportRound): ExportPassage => ({
    by: `Round ${round}`,
    text: thoughts.map(({ id, author, text }) => `- #${id} ${author}: ${text.trim().replace(/\n+/g, ' ')}`).join('\n'),
  });
  return [...entryPassages(0), ...rounds.flatMap((each) => [thoughtPassage(each), ...entryPassages(each.round)])];
}
