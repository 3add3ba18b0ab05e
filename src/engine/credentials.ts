import type { ParticipantKind } from '../core/events/event.ts';
import type { EventLog } from '../log/event-log.ts';
import { CREDENTIAL, IDENTITY } from '../log/record-kinds.ts';

/** The start of the announcement to all servers of a workspace that a credential was created or ended. */
export const CREDENTIALS_CHANGED = '{"type":"credentials.changed"';

/** The holders of credentials and their kinds. Lookups are synchronous, because decisions do not wait (T22). */
export interface CredentialHolders {
  kindOf(id: string): ParticipantKind | undefined;
  /** The id as spelled in the credential: ids that differ only in case are the same (T29). */
  spelling(id: string): string | undefined;
  list(): readonly (readonly [id: string, kind: ParticipantKind])[];
  refresh(): Promise<void>;
}

const byLog = new WeakMap<EventLog, CredentialHolders>();

/** Returns the one instance for a log, shared by all parts of the server. */
export function credentialHoldersOf(log: EventLog): CredentialHolders {
  const existing = byLog.get(log);
  if (existing) return existing;
  /** By the id in lower case. */
  let byId: ReadonlyMap<string, readonly [id: string, kind: ParticipantKind]> = new Map();

  async function refresh() {
    const [credentials, identities] = await Promise.all([log.records(CREDENTIAL), log.records(IDENTITY)]);
    const entries = [
      ...credentials.map(({ value }) => parseHolder(value)),
      // An id keeps its kind after its credentials are gone.
      ...identities.map(({ key, value }) => [key, value as ParticipantKind] as const),
    ];
    byId = new Map(entries.map((entry) => [entry[0].toLowerCase(), entry]));
  }

  const holders: CredentialHolders = {
    kindOf: (id) => byId.get(id.toLowerCase())?.[1],
    spelling: (id) => byId.get(id.toLowerCase())?.[0],
    list: () => [...byId.values()],
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
