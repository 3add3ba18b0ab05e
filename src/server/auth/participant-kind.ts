import type { ParticipantKind } from '../../core/events/event.ts';
import { facetWord } from '../../core/search/facets.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';

/**
 * The kind of a participant when it last wrote here, as far as the search index can tell. Needed for ids whose
 * credentials were issued and ended before their kind was stored, or in the workspace this log came from.
 */
export async function findKindInLog(log: EventLog, participant: string): Promise<ParticipantKind | undefined> {
  try {
    const query = { all: [], any: [[facetWord('from', participant)]], none: [] };
    const { hits } = await log.search.find(query, Number.MAX_SAFE_INTEGER, 1);
    const rows = await log.readAt(hits.map(({ position }) => position));
    return rows.map(eventOf).find(({ from }) => from === participant)?.meta.by;
  } catch {
    // Without an index the kind is unknown, and nothing is guaranteed.
    return undefined;
  }
}
