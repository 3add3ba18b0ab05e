/*
 * Assignments of thoughts to clusters, as a list that only grows.
 *
 * Invariants:
 * - A thought is assigned to a cluster at most once, and noted as noise at most once before that.
 * - A handle sees only the assignments before its own length; handles with a common past share the underlying data.
 * - Every function except `clustersOf` answers without walking the list.
 */
export interface Assignment {
  readonly thought: number;
  /** null means noise. */
  readonly cluster: number | null;
}

/** JSON gives a plain array back; it is indexed on first use. */
export type Members = Ledger | readonly Assignment[];

/** Totals over all members of a cluster, active or not. */
export interface ClusterTotals {
  readonly count: number;
  /** The earliest and the latest thought by id. */
  readonly first: number;
  readonly last: number;
}

interface LedgerEntry extends ClusterTotals {
  readonly assignment: Assignment;
  /** Position of the cluster's previous entry; -1 for its first one. */
  readonly before: number;
  /** The highest cluster id so far. */
  readonly top: number;
}

export function addAssignment(members: Members, assignment: Assignment): Members {
  const current = clusterOf(members, assignment.thought);
  if (typeof current === 'number' || current === assignment.cluster) return members;
  return ledgerOf(members).with(assignment);
}

/** A cluster's id; null for noise, undefined for a thought that was not looked at yet. */
export function clusterOf(members: Members, thought: number): number | null | undefined {
  return ledgerOf(members).clusterOf(thought);
}

export function totalsOf(members: Members, cluster: number): ClusterTotals | undefined {
  return ledgerOf(members).newest(cluster);
}

/** The highest cluster id; ids are assigned in order and never reused. */
export function topCluster(members: Members): number {
  return ledgerOf(members).top();
}

/** The ids of a cluster's thoughts, the latest assignment first. */
export function membersOf(members: Members, cluster: number): Generator<number> {
  return ledgerOf(members).membersOf(cluster);
}

/** All clusters, the one that gained a member last first. */
export function* clustersOf(members: Members): Generator<number> {
  const seen = new Set<number>();
  const ledger = ledgerOf(members);
  for (let i = ledger.length - 1; i >= 0; i--) {
    const cluster = ledger.assignmentAt(i)?.cluster ?? null;
    if (cluster === null || seen.has(cluster)) continue;
    seen.add(cluster);
    yield cluster;
  }
}

/** Undefined if there is none at this index. */
export function assignmentAt(members: Members, index: number): Assignment | undefined {
  return ledgerOf(members).assignmentAt(index);
}

/** The assignments after the first `past`, in order. */
export function assignmentsFrom(members: Members, past: number): readonly Assignment[] {
  return ledgerOf(members).from(past);
}

const ledgerCache = new WeakMap<readonly Assignment[], Ledger>();

function ledgerOf(members: Members): Ledger {
  if (members instanceof Ledger) return members;
  let ledger = ledgerCache.get(members);
  if (!ledger) {
    ledger = new Ledger(buildIndex(members), members.length);
    ledgerCache.set(members, ledger);
  }
  return ledger;
}

interface LedgerIndex {
  readonly entries: LedgerEntry[];
  /** Positions in `entries`. */
  readonly newest: Map<number, number>;
  readonly placed: Map<number, number>;
  readonly noise: Map<number, number>;
}

function buildIndex(assignments: readonly Assignment[]): LedgerIndex {
  const index: LedgerIndex = { entries: [], newest: new Map(), placed: new Map(), noise: new Map() };
  for (const assignment of assignments) addToIndex(index, assignment);
  return index;
}

function addToIndex(index: LedgerIndex, assignment: Assignment): void {
  const { thought, cluster } = assignment;
  const at = index.entries.length;
  const top = Math.max(index.entries.at(-1)?.top ?? 0, cluster ?? 0);
  const previous = cluster === null ? undefined : index.newest.get(cluster);
  const {
    count = 0,
    first = thought,
    last = thought,
  } = previous === undefined ? {} : (index.entries[previous] as LedgerEntry);
  index.entries.push({
    assignment,
    before: previous ?? -1,
    top,
    count: count + 1,
    first: Math.min(first, thought),
    last: Math.max(last, thought),
  });
  if (cluster === null) {
    index.noise.set(thought, at);
  } else {
    index.newest.set(cluster, at);
    index.placed.set(thought, at);
  }
}

class Ledger {
  readonly length: number;
  readonly #index: LedgerIndex;

  constructor(index: LedgerIndex, length: number) {
    this.#index = index;
    this.length = length;
  }

  with(assignment: Assignment): Ledger {
    const isLatest = this.#index.entries.length === this.length;
    const index = isLatest ? this.#index : buildIndex(this.toJSON());
    addToIndex(index, assignment);
    return new Ledger(index, index.entries.length);
  }

  clusterOf(thought: number): number | null | undefined {
    const { placed, noise, entries } = this.#index;
    const at = placed.get(thought);
    if (at !== undefined && at < this.length) return (entries[at] as LedgerEntry).assignment.cluster;
    return (noise.get(thought) ?? this.length) < this.length ? null : undefined;
  }

  newest(cluster: number): LedgerEntry | undefined {
    let at = this.#index.newest.get(cluster) ?? -1;
    // Other handles may have added entries since this one was made.
    while (at >= this.length) at = (this.#index.entries[at] as LedgerEntry).before;
    return this.#index.entries[at];
  }

  top(): number {
    return this.#index.entries[this.length - 1]?.top ?? 0;
  }

  *membersOf(cluster: number): Generator<number> {
    for (let entry = this.newest(cluster); entry; entry = this.#index.entries[entry.before]) {
      yield entry.assignment.thought;
    }
  }

  assignmentAt(index: number): Assignment | undefined {
    return index < this.length ? this.#index.entries[index]?.assignment : undefined;
  }

  from(past: number): readonly Assignment[] {
    return this.#index.entries.slice(past, this.length).map((entry) => entry.assignment);
  }

  toJSON(): readonly Assignment[] {
    return this.from(0);
  }
}
