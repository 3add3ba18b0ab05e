import type { WireEvent } from '../../src/protocol/wire.ts';

/** What is new in a thread for the person looking, and whether it asks something of them. */
export interface Attention {
  readonly news: number;
  /** Who asked, and how: "alpha addressed you". */
  readonly needsYou?: string;
}

const NOTHING_NEW: Attention = { news: 0 };

export function attentionTo(events: readonly WireEvent[], me: string, before: Attention = NOTHING_NEW): Attention {
  return events.reduce((so, event) => {
    if (event.from === me) return so;
    const asked = asks(event, me);
    const isNews = event.type === 'message' || event.type === 'task' || event.type === 'result' || asked !== undefined;
    if (!isNews) return so;
    return { news: so.news + 1, ...((asked ?? so.needsYou) && { needsYou: asked ?? so.needsYou }) } as Attention;
  }, before);
}

/** How an event asks for this person, if it does. */
function asks({ type, from, to, content }: WireEvent, me: string): string | undefined {
  const named = to !== 'all' && [to].flat().includes(me);
  if (type === 'task' && named) return `${from} gave you a task`;
  if (type === 'draft.proposed') return `${from} wrote a draft`;
  if (type === 'message' && named) return `${from} addressed you`;
  if (type === 'result' && named) return `${from} answered you`;
  if (type !== 'control' || typeof content !== 'object' || content === null) return undefined;
  const { prod, invite } = content as { prod?: string[]; invite?: { participant_id: string } };
  if (prod?.includes(me)) return `${from} prodded you`;
  if (invite?.participant_id === me) return `${from} invited you`;
  return undefined;
}
