import type {
  AuditItem,
  BranchItem,
  EntryItem,
  ExchangeStatus,
  RestartItem,
  RoundItem,
  TermsVersionItem,
} from '../../../../src/client/index.ts';

/** One row of the timeline. */
export type TimelineRow =
  | { readonly kind: 'round'; readonly key: string; readonly round: RoundItem }
  | { readonly kind: 'audit'; readonly key: string; readonly audit: AuditItem; readonly roles: readonly EntryItem[] }
  | {
      readonly kind: 'entry';
      readonly key: string;
      readonly entry: EntryItem;
      readonly restart?: RestartItem | undefined;
      /** The audit that the observer answered with it. */
      readonly answers?: number | undefined;
    }
  | { readonly kind: 'terms'; readonly key: string; readonly version: TermsVersionItem }
  | { readonly kind: 'begun'; readonly key: string; readonly branch: NonNullable<ExchangeStatus['branch']> };

export interface TimelineInput {
  /** All lists are newest first. */
  readonly rounds: readonly RoundItem[];
  readonly audits: readonly AuditItem[];
  readonly entries: readonly EntryItem[];
  readonly versions: readonly TermsVersionItem[];
  readonly restarts: readonly RestartItem[];
  /** The start of this branch, if it is one. */
  readonly branchStart?: BranchItem | undefined;
}

interface PlacedRow {
  readonly row: TimelineRow;
  /** The number of rounds before this row. */
  readonly after: number;
  readonly ts: string;
}

/** Merges rounds and entries into one story, oldest first; nothing before the oldest loaded round. */
export function timelineRows({
  rounds,
  audits,
  entries,
  versions,
  restarts,
  branchStart,
}: TimelineInput): readonly TimelineRow[] {
  const oldest = rounds.at(-1)?.round ?? 1;
  const betweenRounds = [
    ...entryRows(entries, audits, restarts),
    ...versions.filter(({ version }) => version > 1).map((version) => termsRow(version, rounds)),
    ...(branchStart?.branch ? [branchStartRow(branchStart, branchStart.branch)] : []),
  ].filter(({ after }) => oldest === 1 || after >= oldest);
  const byRound = Map.groupBy(betweenRounds, ({ after }) => after);
  const newest = rounds[0]?.round ?? 0;
  const laterRounds = [...byRound.keys()].filter((after) => after > newest).sort((a, b) => b - a);
  const newestFirstRows = [
    ...laterRounds.flatMap((after) => newestFirst(byRound.get(after))),
    ...rounds.flatMap((round): TimelineRow[] => [
      ...newestFirst(byRound.get(round.round)),
      { kind: 'round', key: `round ${round.round}`, round },
    ]),
    ...(oldest === 1 ? newestFirst(byRound.get(0)) : []),
  ];
  return withAnswers(newestFirstRows.reverse());
}

/** The first word of the observer after an audit that asked for one is its answer. */
function withAnswers(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  let asking: number | undefined;
  return rows.map((row) => {
    if (row.kind === 'audit') asking = row.audit.ask ? row.audit.audit : undefined;
    if (row.kind !== 'entry' || row.entry.type !== 'observer' || asking === undefined) return row;
    const answers = asking;
    asking = undefined;
    return { ...row, answers };
  });
}

/** Combines an audit and the two role texts recorded with it into one row. */
function entryRows(
  entries: readonly EntryItem[],
  audits: readonly AuditItem[],
  restarts: readonly RestartItem[],
): readonly PlacedRow[] {
  const byEvent = new Map(audits.map((audit) => [audit.event, audit]));
  const rows: PlacedRow[] = [];
  let roles: EntryItem[] = [];
  for (const entry of entries) {
    const { type, event, ts, round } = entry;
    if (type === 'auditor_role' || type === 'observer_role') {
      roles.unshift(entry);
      continue;
    }
    const audit = byEvent.get(event);
    const row: TimelineRow = audit
      ? { kind: 'audit', key: event, audit, roles }
      : { kind: 'entry', key: event, entry, restart: type === 'restart' ? restartOfEntry(entry, restarts) : undefined };
    if (type === 'audit') roles = [];
    rows.push({ row, after: round, ts });
  }
  return rows;
}

function restartOfEntry({ ts, text }: EntryItem, restarts: readonly RestartItem[]): RestartItem | undefined {
  const candidates = restarts.filter((restart) => restart.ts === ts);
  return candidates.length > 1
    ? candidates.find(({ evidence }) => evidence.some((e) => 'reason' in e && text.includes(e.reason)))
    : candidates[0];
}

function termsRow(version: TermsVersionItem, rounds: readonly RoundItem[]): PlacedRow {
  const roundBefore = rounds.find(({ ts }) => ts <= version.ts)?.round ?? (rounds.at(-1)?.round ?? 1) - 1;
  return { row: { kind: 'terms', key: `terms ${version.version}`, version }, after: roundBefore, ts: version.ts };
}

function branchStartRow({ created }: BranchItem, branch: NonNullable<BranchItem['branch']>): PlacedRow {
  return { row: { kind: 'begun', key: 'begun', branch }, after: branch.from.round, ts: created };
}

function newestFirst(rows: readonly PlacedRow[] = []): readonly TimelineRow[] {
  return [...rows].sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)).map(({ row }) => row);
}
