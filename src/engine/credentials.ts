import type { ParticipantKind } from '../core/events/event.ts';
import type { EventLog } from '../log/event-log.ts';
import { CREDENTIAL, IDENTITY } from '../log/record-kinds.ts';

/** How it begins what is said to every server of a workspace when a credential was made or has ended. */
export const CREDENTIALS_CHANGED = '{"type":"credentials.changed"';

/** Who holds a credential, and of which kind: known at once, because decisions do not wait (T22). */
export interface CredentialHolders {
  kindOf(id: string): ParticipantKind | undefined;
  /** The id as the credential has it: ids that differ only in case are one (T29). */
  spelling(id: string): string | undefined;
  /** Reads them again. */
  refresh(): Promise<void>;
}

const byLog = new WeakMap<EventLog, CredentialHolders>();

/** One for each log, however many parts of the server look at it. */
export function credentialHoldersOf(log: EventLog): CredentialHolders {
  const existing = byLog.get(log);
  if (existing) return existing;
  /** By the id in lower case. */
  let byId: ReadonlyMap<string, readonly [id: string, kind: ParticipantKind]> = new Map();

  async function refresh() {
    const [credentials, identities] = await Promise.all([log.records(CREDENTIAL), log.records(IDENTITY)]);
    const entries = [
      ...credentials.map(({ value }) => parseHolder(value)),
      // Whose credentials are gone is still who it was.
      ...identities.map(({ key, value }) => [key, value as ParticipantKind] as const),
    ];
    byId = new Map(entries.map((entry) => [entry[0].toLowerCase(), entry]));
  }

  const holders: CredentialHolders = {
    kindOf: (id) => byId.get(id.toLowerCase())?.[1],
    spelling: (id) => byId.get(id.toLowerCase())?.[0],
    refresh,
  };
  byLog.set(log, holders);
  log.listen({
    onAppend() {},
    onAnnouncement(text) {
      if (text.startsWith(CREDENTIALS_CHANGED)) void refresh().catch(() => {});
    },
  });
  return holders;
}

function parseHolder(value: string): [string, ParticipantKind] {
  const { participant, kind } = JSON.parse(value) as { participant: string; kind: ParticipantKind };
  return [participant, kind];
}
