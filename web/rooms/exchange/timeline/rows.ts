import type { Audit, Branch, Entry, Restart, Round, Status, Version } from '../queries.ts';

/** One place of the timeline. */
export type Row =
  | { readonly kind: 'round'; readonly key: string; readonly round: Round }
  | { readonly kind: 'audit'; readonly key: string; readonly audit: Audit; readonly roles: readonly Entry[] }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: Entry; readonly restart?: Restart | undefined }
  | { readonly kind: 'terms'; readonly key: string; readonly version: Version }
  | { readonly kind: 'begun'; readonly key: string; readonly branch: NonNullable<Status['branch']> };

export interface Past {
  /** All newest first. */
  readonly rounds: readonly Round[];
  readonly audits: readonly Audit[];
  readonly entries: readonly Entry[];
  readonly versions: readonly Version[];
  readonly restarts: readonly Restart[];
  /** Where this branch began, if it is one. */
  readonly begun?: Branch | undefined;
}

interface Placed {
  readonly row: Row;
  /** How many rounds there had been. */
  readonly after: number;
  readonly ts: string;
}

/** Rounds and all that was said between them as one timeline, newest first; nothing from before the oldest round that is loaded. */
export function rowsOf({ rounds, audits, entries, versions, restarts, begun }: Past): readonly Row[] {
  const oldest = rounds.at(-1)?.round ?? 1;
  const between = [
    ...saidBetween(entries, audits, restarts),
    ...versions.filter(({ version }) => version > 1).map((version) => termsRow(version, rounds)),
    ...(begun?.branch ? [begunRow(begun, begun.branch)] : []),
  ].filter(({ after }) => oldest === 1 || after >= oldest);
  const byRound = Map.groupBy(between, ({ after }) => after);
  const newest = rounds[0]?.round ?? 0;
  const later = [...byRound.keys()].filter((after) => after > newest).sort((a, b) => b - a);
  return [
    ...later.flatMap((after) => newestFirst(byRound.get(after))),
    ...rounds.flatMap((round): Row[] => [
      ...newestFirst(byRound.get(round.round)),
      { kind: 'round', key: `round ${round.round}`, round },
    ]),
    ...(oldest === 1 ? newestFirst(byRound.get(0)) : []),
  ];
}

/** An audit takes both roles that were told beside it into one letter. */
function saidBetween(
  entries: readonly Entry[],
  audits: readonly Audit[],
  restarts: readonly Restart[],
): readonly Placed[] {
  const byEvent = new Map(audits.map((audit) => [audit.event, audit]));
  const placed: Placed[] = [];
  let roles: Entry[] = [];
  for (const entry of entries) {
    const { type, event, ts, round } = entry;
    if (type === 'auditor_role' || type === 'observer_role') {
      roles.unshift(entry);
      continue;
    }
    const audit = byEvent.get(event);
    const row: Row = audit
      ? { kind: 'audit', key: event, audit, roles }
      : { kind: 'entry', key: event, entry, restart: type === 'restart' ? restartAt(entry, restarts) : undefined };
    if (type === 'audit') roles = [];
    placed.push({ row, after: round, ts });
  }
  return placed;
}

function restartAt({ ts, text }: Entry, restarts: readonly Restart[]): Restart | undefined {
  const same = restarts.filter((restart) => restart.ts === ts);
  return same.length > 1
    ? same.find(({ evidence }) => evidence.some((e) => 'reason' in e && text.includes(e.reason)))
    : same[0];
}

function termsRow(version: Version, rounds: readonly Round[]): Placed {
  const before = rounds.find(({ ts }) => ts <= version.ts)?.round ?? (rounds.at(-1)?.round ?? 1) - 1;
  return { row: { kind: 'terms', key: `terms ${version.version}`, version }, after: before, ts: version.ts };
}

function begunRow({ created }: Branch, branch: NonNullable<Branch['branch']>): Placed {
  return { row: { kind: 'begun', key: 'begun', branch }, after: branch.from.round, ts: created };
}

function newestFirst(placed: readonly Placed[] = []): readonly Row[] {
  return [...placed].sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)).map(({ row }) => row);
}
