import type { ParticipantKind } from '../core/events/event.ts';
import type { EventLog } from '../log/event-log.ts';
import { CREDENTIAL, IDENTITY } from '../log/record-kinds.ts';

/** How it begins what is said to every server of a workspace when a credential was made or has ended. */
export const CREDENTIALS_CHANGED = '{"type":"credentials.changed"';

/** Who holds a credential, and of which kind: known at once, because decisions do not wait (T22). */
export interface Holders {
  kindOf(id: string): ParticipantKind | undefined;
  /** The id as the credential has it: ids that differ only in case are one (T29). */
  spelling(id: string): string | undefined;
  /** Reads them again. */
  refresh(): Promise<void>;
}

const known = new WeakMap<EventLog, Holders>();

/** One for each log, however many parts of the server look at it. */
export function holdersOf(log: EventLog): Holders {
  const found = known.get(log);
  if (found) return found;
  /** By the id in lower case. */
  let holding: ReadonlyMap<string, readonly [id: string, kind: ParticipantKind]> = new Map();

  async function refresh() {
    const [held, kept] = await Promise.all([log.records(CREDENTIAL), log.records(IDENTITY)]);
    const all = [
      ...held.map(({ value }) => holderIn(value)),
      // Whose credentials are gone is still who it was.
      ...kept.map(({ key, value }) => [key, value as ParticipantKind] as const),
    ];
    holding = new Map(all.map((each) => [each[0].toLowerCase(), each]));
  }

  const holders: Holders = {
    kindOf: (id) => holding.get(id.toLowerCase())?.[1],
    spelling: (id) => holding.get(id.toLowerCase())?.[0],
    refresh,
  };
  known.set(log, holders);
  log.listen({
    appended() {},
    announced(text) {
      if (text.startsWith(CREDENTIALS_CHANGED)) void refresh().catch(() => {});
    },
  });
  return holders;
}

function holderIn(value: string): [string, ParticipantKind] {
  const { participant, kind } = JSON.parse(value) as { participant: string; kind: ParticipantKind };
  return [participant, kind];
}
