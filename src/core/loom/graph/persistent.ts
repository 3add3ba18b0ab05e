/*
 * Many immutable versions over one set of arrays. The version read last owns the arrays and reads them at the speed of
 * plain arrays. Every other version stores its difference from a neighbour and, when read, takes over the arrays step
 * by step. So a fold costs only what it changes, an older state (of a failed append) stays intact, and unreferenced
 * versions are garbage collected. A reader must be done with the arrays before any other version is read.
 */
export interface PersistentTables {
  /**
   * Columns of tables that only grow within a change. Columns of one table have equal length; rows past the old are
   * new.
   */
  readonly tables: readonly (readonly unknown[][])[];
  /** Called before the rows beyond `lengths` are removed, so that indexes by key can forget them. */
  truncateIndexes(lengths: readonly number[]): void;
  /** Called when another version takes over the arrays: drops everything computed from them. */
  clearCaches(): void;
}

export class Persistent<Data extends PersistentTables> {
  #data: Data | undefined;
  #from: NeighbourDiff<Data> | undefined;

  private constructor(data: Data) {
    this.#data = data;
  }

  static of<Data extends PersistentTables>(data: Data): Persistent<Data> {
    return new Persistent(data);
  }

  /** The arrays in this version. Read them immediately and do not keep a reference. */
  read(): Data {
    if (this.#data) return this.#data;
    const chain: Persistent<Data>[] = [];
    let owner: Persistent<Data> = this;
    while (owner.#from) {
      chain.push(owner);
      owner = owner.#from.neighbour;
    }
    const data = owner.#data as Data;
    for (const next of chain.reverse()) {
      const { neighbour, change, undo } = next.#from as NeighbourDiff<Data>;
      if (undo) revertChange(data, change);
      else reapplyChange(data, change);
      neighbour.#data = undefined;
      neighbour.#from = { neighbour: next, change, undo: !undo };
      next.#from = undefined;
      next.#data = data;
    }
    data.clearCaches();
    return data;
  }

  /** Returns a new version with the changes that `update` makes through the journal or adds to the growing arrays. */
  change(update: (data: Data, journal: Journal) => void): Persistent<Data> {
    const data = this.read();
    const change = new JournaledChange(lengthsOf(data));
    try {
      update(data, change);
    } catch (error) {
      revertChange(data, change);
      throw error;
    }
    const next = new Persistent(data);
    this.#data = undefined;
    this.#from = { neighbour: next, change, undo: true };
    return next;
  }
}

interface NeighbourDiff<Data extends PersistentTables> {
  readonly neighbour: Persistent<Data>;
  readonly change: JournaledChange;
  /** True if this version is the neighbour without the change, false if it is the neighbour with it. */
  readonly undo: boolean;
}

/** Records every change to existing cells before it is made. Rows added in the same change need no record. */
export interface Journal {
  /** The length of each table before the change. */
  readonly lengths: readonly number[];
  put<T>(list: T[], index: number, value: T): void;
  set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void;
}

class JournaledChange implements Journal {
  readonly lengths: readonly number[];
  /** Groups of three: container, key, and the value in the other version. */
  readonly cells: unknown[] = [];
  tails: unknown[][][] | undefined = undefined;

  constructor(lengths: readonly number[]) {
    this.lengths = lengths;
  }

  put<T>(list: T[], index: number, value: T): void {
    this.cells.push(list, index, list[index]);
    list[index] = value;
  }

  set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void {
    this.cells.push(map, key, map.get(key));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  }
}

function lengthsOf({ tables }: PersistentTables): number[] {
  const lengths: number[] = [];
  for (const columns of tables) lengths.push((columns[0] as unknown[]).length);
  return lengths;
}

function revertChange(data: PersistentTables, change: JournaledChange): void {
  for (let i = change.cells.length - 3; i >= 0; i -= 3) swap(change.cells, i);
  data.truncateIndexes(change.lengths);
  change.tails = data.tables.map((columns, i) => columns.map((list) => list.splice(change.lengths[i] as number)));
}

function reapplyChange(data: PersistentTables, change: JournaledChange): void {
  for (const [i, columns] of (change.tails ?? []).entries()) {
    for (const [k, tail] of columns.entries()) for (const item of tail) data.tables[i]?.[k]?.push(item);
  }
  change.tails = undefined;
  for (let i = 0; i < change.cells.length; i += 3) swap(change.cells, i);
}

function swap(cells: unknown[], i: number): void {
  const [target, key, value] = [cells[i], cells[i + 1], cells[i + 2]];
  if (target instanceof Map) {
    cells[i + 2] = target.get(key);
    if (value === undefined) target.delete(key);
    else target.set(key, value);
  } else {
    const list = target as unknown[];
    cells[i + 2] = list[key as number];
    list[key as number] = value;
  }
}
