import type { Event } from '../../../src/core/events/event.ts';
import { exportLog } from '../../../src/formats/export/export-log.ts';
import { workspaceHash } from '../../../src/formats/verify/chain.ts';
import { type EventLog, type LinkedEvent, type SealedEvent, wireTextOf } from '../../../src/log/event-log.ts';
import { GENESIS, seal } from '../../../src/log/seal.ts';

/** Parts of an event; the rest is what every event has. */
export type Forged = Partial<Event> & { readonly after?: SealedEvent };

/** Events of anyone's making, each linked to the one before it in its thread: the chain holds, whatever they say. */
export function sealedChain(forged: readonly Forged[]): readonly LinkedEvent[] {
  const heads = new Map<string, SealedEvent>();
  return forged.map(({ after, ...parts }, i) => {
    const thread = parts.thread ?? 't1';
    const before = heads.get(thread) ?? after;
    const previous = before?.hash ?? GENESIS;
    const sealed = seal(previous, {
      ...{ id: `e${i + 1}`, ts: '2026-01-01T00:00:00.000Z', thread, seq: (before?.seq ?? 0) + 1 },
      ...{ type: 'message', from: 'ana', to: 'all', content: 'text', meta: { by: 'human' as const }, v: 1 },
      ...parts,
    });
    heads.set(thread, sealed);
    return { ...sealed, previous };
  });
}

/** The export of a log, or of one of its threads. */
export async function readExport(log: EventLog, thread?: string): Promise<string> {
  let text = '';
  for await (const part of exportLog(log, { created: '2026-01-01T00:00:00.000Z', ...(thread && { thread }) }))
    text += part;
  return text;
}

/** Such events as an export that counts them, names their heads and is whole. */
export function exportText(events: readonly SealedEvent[], lines = events.map(wireTextOf)): string {
  const heads = Object.fromEntries(events.map(({ thread, seq, hash }) => [thread, { seq, hash }]));
  const trailer = {
    ...{ end: true, events: events.length, blobs: 0, missing: [] },
    ...{ head: workspaceHash(new Map(Object.entries(heads))), heads },
  };
  return `${['{"heddle":"export","version":1,"created":"now"}', ...lines, JSON.stringify(trailer)].join('\n')}\n`;
}
