import type { ParticipantKind } from '../../core/events/event.ts';
import { facetWord } from '../../core/search/facets.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';

/**
 * Of which kind an id was when it last wrote here, as far as the index of words
 * can tell: for ids whose credentials were issued, and ended, before their kind
 * was kept, or in the workspace that this log was brought from.
 */
export async function kindInLog(log: EventLog, participant: string): Promise<ParticipantKind | undefined> {
  try {
    const wanted = { all: [], any: [[facetWord('from', participant)]], none: [] };
    const { found } = await log.search.find(wanted, Number.MAX_SAFE_INTEGER, 1);
    const rows = await log.readAt(found.map(({ position }) => position));
    return rows.map(eventOf).find(({ from }) => from === participant)?.meta.by;
  } catch {
    // Without an index nothing is known, and nothing is promised either.
    return undefined;
  }
}
