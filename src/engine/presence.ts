import type { PresenceState, Profile } from '../core/threads/schema.ts';
import type { WirePresence } from '../protocol/threads.ts';

/** Its reach says how it is known: connected now, the server can invoke it, or only declared by itself (T3). */
export type Presence = Readonly<WirePresence>;

interface PresenceEntry {
  state: PresenceState;
  details: Profile | undefined;
  since: number;
  connections: number;
  /** Without a connection, a declared presence expires at this time. */
  until: number;
  reach: 'live' | 'declared';
}

/** Presence from another server expires after this; servers repeat theirs more often. */
const REMOTE_TTL_MS = 45_000;
export const DECLARED_MS = 120_000;
/** Grace period for a page to reload. */
export const LIVE_GRACE_MS = 4_000;

export interface PresenceParts {
  now(): number;
  /** Milliseconds from a monotonic clock, so that nobody stays present longer than they should (L26). */
  elapsed(): number;
  /** Called for every change that others should see. */
  onChange(thread: string, presence: Presence, before: PresenceState): void;
  /** Called when a participant's last connection has closed for good. */
  onLeave?(thread: string, participant: string): void;
}

/** The current presence of participants. Never stored: it is valid only while this process lives (L4). */
export function createPresence({ now, elapsed, onChange, onLeave }: PresenceParts) {
  const threads = new Map<string, Map<string, PresenceEntry>>();

  function declare(thread: string, participant: string, state: PresenceState, details?: Profile): Presence {
    const entry = entryOf(thread, participant);
    const before = statusOf(entry);
    entry.until = elapsed() + DECLARED_MS;
    entry.reach = 'declared';
    if (details) entry.details = details;
    if (entry.state !== state || before.state === 'offline') entry.since = now();
    entry.state = state;
    return notifyIfChanged(thread, participant, entry, before, details !== undefined);
  }

  /** A stream was opened by this participant; call the result when it closes. */
  function connect(thread: string, participant: string): () => void {
    const entry = entryOf(thread, participant);
    const before = statusOf(entry);
    if (before.state === 'offline') {
      entry.state = 'listening';
      entry.since = now();
    }
    entry.connections++;
    notifyIfChanged(thread, participant, entry, before, false);
    return () => {
      entry.connections--;
      if (entry.connections > 0) return;
      entry.until = elapsed() + LIVE_GRACE_MS;
      entry.reach = 'live';
    };
  }

  function applyRemote(thread: string, presence: Presence) {
    const entry = entryOf(thread, presence.participant);
    if (entry.connections > 0) return;
    entry.state = presence.state;
    entry.details = presence.details;
    entry.since = Date.parse(presence.since);
    entry.until = elapsed() + REMOTE_TTL_MS;
    entry.reach = presence.reach === 'live' ? 'live' : 'declared';
  }

  /** Lists participants connected to this process, to report to other servers. */
  function listConnected(): readonly { readonly thread: string; readonly presence: Presence }[] {
    return [...threads].flatMap(([thread, entries]) =>
      [...entries]
        .filter(([, entry]) => entry.connections > 0)
        .map(([participant, entry]) => ({ thread, presence: presenceOf(participant, entry) })),
    );
  }

  function of(thread: string): readonly Presence[] {
    return [...(threads.get(thread) ?? [])].map(([participant, entry]) => presenceOf(participant, entry));
  }

  /** Reports participants who left without notice; called about once a second. */
  function sweep() {
    for (const [thread, entries] of threads) {
      for (const [participant, entry] of entries) {
        if (statusOf(entry).state !== 'offline') continue;
        const before = entry.state;
        entries.delete(participant);
        if (before !== 'offline') onChange(thread, presenceOf(participant, { ...entry, state: 'offline' }), before);
        if (entry.reach === 'live') onLeave?.(thread, participant);
      }
      if (entries.size === 0) threads.delete(thread);
    }
  }

  function notifyIfChanged(
    thread: string,
    participant: string,
    entry: PresenceEntry,
    before: PresenceStatus,
    force: boolean,
  ): Presence {
    const presence = presenceOf(participant, entry);
    if (force || before.state !== presence.state || before.reach !== presence.reach) {
      onChange(thread, presence, before.state);
    }
    return presence;
  }

  function entryOf(thread: string, participant: string): PresenceEntry {
    const entries = threads.get(thread) ?? new Map<string, PresenceEntry>();
    threads.set(thread, entries);
    let entry = entries.get(participant);
    if (!entry) {
      entry = { state: 'offline', details: undefined, since: now(), connections: 0, until: 0, reach: 'declared' };
      entries.set(participant, entry);
    }
    return entry;
  }

  function presenceOf(participant: string, entry: PresenceEntry): Presence {
    const since = new Date(entry.since).toISOString();
    return { participant, ...statusOf(entry), since, ...(entry.details && { details: entry.details }) };
  }

  function statusOf(entry: PresenceEntry): PresenceStatus {
    if (entry.connections > 0) return { state: entry.state, reach: 'live' };
    if (entry.state === 'offline' || elapsed() >= entry.until) return { state: 'offline', reach: 'none' };
    return { state: entry.state, reach: entry.reach };
  }

  return { declare, connect, applyRemote, listConnected, of, sweep };
}

type PresenceStatus = Pick<Presence, 'state' | 'reach'>;
