import type { WireEvent } from '../../src/client/index.ts';
import { authorShown } from '../../src/core/events/event.ts';

/** One piece of a text that somebody reads: who wrote it, when, what. */
export interface Part {
  readonly by: string;
  readonly ts?: string;
  /** What it is, where that is not plain. */
  readonly as?: string;
  readonly text: string;
}

export function headOf(title: string): string {
  return `# ${title.replace(/\s+/g, ' ')}\n`;
}

/** What was written in Markdown stays as it was written. */
export function textOf(parts: readonly Part[]): string {
  return parts
    .map(({ by, ts, as, text }) => {
      const head = [`**${by}**`, as, ts && new Date(ts).toISOString().slice(0, 16).replace('T', ' ')].filter(Boolean);
      return `\n${head.join(', ')}\n\n${text.trim()}\n`;
    })
    .join('');
}

export function messagesIn(events: readonly WireEvent[]): readonly Part[] {
  return events.flatMap((event) => {
    const { type, ts, content } = event;
    if (type !== 'message' && type !== 'task' && type !== 'result') return [];
    const { text = '', status = '' } = typeof content === 'string' ? { text: content } : (content as Words);
    const as = type === 'message' ? undefined : [type, status].filter(Boolean).join(' ');
    return [{ by: authorShown(event), ts, text: text || status, ...(as && { as }) }];
  });
}

interface Words {
  readonly text?: string;
  readonly status?: string;
}

interface Turn {
  readonly message: string;
  readonly reply: string;
  readonly by: string;
  readonly ts: string;
}

/** What was said and accepted, and the message that waits. */
export function turnsIn(turns: readonly Turn[], waiting?: Omit<Part, 'as'>): readonly Part[] {
  const parts = turns.flatMap(({ message, reply, by, ts }): readonly Part[] => [
    { by, text: message },
    { by: 'The mind', as: `accepted by ${by}`, ts, text: reply },
  ]);
  return waiting ? [...parts, { ...waiting, as: 'not yet answered' }] : parts;
}

interface Round {
  readonly round: number;
  readonly thoughts: readonly { readonly id: number; readonly author: string; readonly text: string }[];
}
interface Entry {
  readonly type: string;
  readonly by: string;
  readonly ts: string;
  readonly round: number;
  readonly text: string;
}

/** Rounds in their order, each with what was said after it. */
export function roundsIn(rounds: readonly Round[], entries: readonly Entry[]): readonly Part[] {
  const byRound = Map.groupBy(entries, ({ round }) => round);
  const said = (round: number) =>
    (byRound.get(round) ?? []).map(({ type, by, ts, text }) => ({ by, ts, as: type.replaceAll('_', ' '), text }));
  const thought = ({ round, thoughts }: Round): Part => ({
    by: `Round ${round}`,
    text: thoughts.map(({ id, author, text }) => `- #${id} ${author}: ${text.trim().replace(/\n+/g, ' ')}`).join('\n'),
  });
  return [...said(0), ...rounds.flatMap((each) => [thought(each), ...said(each.round)])];
}
