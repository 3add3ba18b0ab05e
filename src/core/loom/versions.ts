/*
 * Many unchanging states over one set of arrays. The version looked at last has the arrays and reads them at the speed
 * of plain ones; every other knows how it differs from a neighbour and, when it is looked at, takes the arrays over step
 * by step. So a fold costs what it changes, an older state (of an append that failed) is still whole, and what nobody
 * holds any more is collected. Whoever looks must be done with the arrays before it lets anyone else look.
 */
export interface Tables {
  /** Arrays that only grow within a change; beyond their end everything is new. */
  readonly growing: readonly unknown[][];
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
    const change: Change = { lengths: data.growing.map(({ length }) => length), cells: [], tails: undefined };
    make(data, journalOf(change.cells));
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

/** Where every change of what was there before is written down first. */
export interface Journal {
  put<T>(list: T[], index: number, value: T): void;
  set<K, V>(map: Map<K, V>, key: K, value: V | undefined): void;
}

interface Change {
  readonly lengths: readonly number[];
  /** Threes: where, which, and the value it has on the other side. */
  readonly cells: unknown[];
  tails: unknown[][] | undefined;
}

function journalOf(cells: unknown[]): Journal {
  return {
    put(list, index, value) {
      cells.push(list, index, list[index]);
      list[index] = value;
    },
    set(map, key, value) {
      cells.push(map, key, map.get(key));
      if (value === undefined) map.delete(key);
      else map.set(key, value);
    },
  };
}

function takeBack({ growing }: Tables, change: Change): void {
  for (let i = change.cells.length - 3; i >= 0; i -= 3) swap(change.cells, i);
  change.tails = growing.map((list, i) => list.splice(change.lengths[i] as number));
}

function doAgain({ growing }: Tables, change: Change): void {
  for (const [i, tail] of (change.tails ?? []).entries()) for (const item of tail) growing[i]?.push(item);
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
