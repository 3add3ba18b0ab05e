/*
 * Many unchanging states over one set of arrays. The version looked at last has the arrays and reads them at the speed
 * of plain ones; every other knows how it differs from a neighbour and, when it is looked at, takes the arrays over step
 * by step. So a fold costs what it changes, an older state (of an append that failed) is still whole, and what nobody
 * holds any more is collected. Whoever looks must be done with the arrays before it lets anyone else look.
 */
export interface Tables {
  /** Columns of tables that only grow within a change; those of one table are equally long, beyond that all is new. */
  readonly growing: readonly (readonly unknown[][])[];
  /** Rows from here on are about to go: for whatever finds rows by a key. */
  unlist(lengths: readonly number[]): void;
  /** Called when the arrays become another version's: whatever was worked out from them is forgotten. */
  forget(): void;
}

export class Version<Data extends Tables> {
  #data: Data | undefined;
  #from: Difference<Data> | undefined;

  private constructor(data: Data) {
    this.#data = data;
  }

  static of<Data extends Tables>(data: Data): Version<Data> {
    return new Version(data);
  }

  /** The arrays as they are in this version. Read them at once and keep none. */
  look(): Data {
    if (this.#data) return this.#data;
    const way: Version<Data>[] = [];
    let owner: Version<Data> = this;
    while (owner.#from) {
      way.push(owner);
      owner = owner.#from.neighbour;
    }
    const data = owner.#data as Data;
    for (const next of way.reverse()) {
      const { neighbour, change, undo } = next.#from as Difference<Data>;
      if (undo) takeBack(data, change);
      else doAgain(data, change);
      neighbour.#data = undefined;
      neighbour.#from = { neighbour: next, change, undo: !undo };
      next.#from = undefined;
      next.#data = data;
    }
    data.forget();
    return data;
  }

  /** Another version, with what `make` changes through the journal or adds to the growing arrays. */
  change(make: (data: Data, journal: Journal) => void): Version<Data> {
    const data = this.look();
    const change = new Change(lengthsOf(data));
    try {
      make(data, change);
    } catch (error) {
      takeBack(data, change);
      throw error;
    }
    const next = new Version(data);
    this.#data = undefined;
    this.#from = { neighbour: next, change, undo: true };
    return next;
  }
}

interface Difference<Data extends Tables> {
  readonly neighbour: Version<Data>;
  readonly change: Change;
  /** This version is the neighbour without the change; otherwise with it. */
  readonly undo: boolean;
}

/** Where every change of what was there before is written down first; what is new in this change needs no note. */
export interface Journal {
  /** How long each table was before. */
  readonly lengths: readonly number[];
  put<T>(list: T[], index: number, value: T): void;
  set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void;
}

class Change implements Journal {
  readonly lengths: readonly number[];
  /** Threes: where, which, and the value it has on the other side. */
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

function lengthsOf({ growing }: Tables): number[] {
  const lengths: number[] = [];
  for (const columns of growing) lengths.push((columns[0] as unknown[]).length);
  return lengths;
}

function takeBack(data: Tables, change: Change): void {
  for (let i = change.cells.length - 3; i >= 0; i -= 3) swap(change.cells, i);
  data.unlist(change.lengths);
  change.tails = data.growing.map((columns, i) => columns.map((list) => list.splice(change.lengths[i] as number)));
}

function doAgain(data: Tables, change: Change): void {
  for (const [i, columns] of (change.tails ?? []).entries()) {
    for (const [k, tail] of columns.entries()) for (const item of tail) data.growing[i]?.[k]?.push(item);
  }
  change.tails = undefined;
  for (let i = 0; i < change.cells.length; i += 3) swap(change.cells, i);
}

function swap(cells: unknown[], i: number): void {
  const [where, which, value] = [cells[i], cells[i + 1], cells[i + 2]];
  if (where instanceof Map) {
    cells[i + 2] = where.get(which);
    if (value === undefined) where.delete(which);
    else where.set(which, value);
  } else {
    const list = where as unknown[];
    cells[i + 2] = list[which as number];
    list[which as number] = value;
  }
}
