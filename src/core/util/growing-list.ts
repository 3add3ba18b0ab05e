/**
 * A list that only grows, for states that are folded event by event: appending costs the same at any length, and an
 * earlier handle still shows its own items. A plain array is a growing list too, so `[]` starts one and an array from
 * JSON can continue.
 */
export type GrowingList<T> = Pick<readonly T[], 'length' | 'at' | 'slice' | typeof Symbol.iterator>;

export function append<T>(list: GrowingList<T>, ...items: readonly T[]): GrowingList<T> {
  if (items.length === 0) return list;
  // If something else was already appended to this handle, the backing array belongs to that list, and we copy it.
  const reusable = list instanceof ListPrefix ? list.backingIfLatest() : undefined;
  const backing: T[] = reusable ?? list.slice();
  for (const item of items) backing.push(item);
  return new ListPrefix(backing, backing.length);
}

/** A prefix of an array that other lists may have extended since. */
class ListPrefix<T> {
  readonly length: number;
  readonly #backing: T[];

  constructor(backing: T[], length: number) {
    this.#backing = backing;
    this.length = length;
  }

  backingIfLatest(): T[] | undefined {
    return this.#backing.length === this.length ? this.#backing : undefined;
  }

  at(index: number): T | undefined {
    const position = index < 0 ? index + this.length : index;
    return position >= 0 && position < this.length ? this.#backing[position] : undefined;
  }

  slice(start = 0, end = this.length): T[] {
    return this.#backing.slice(clamp(start, this.length), clamp(end, this.length));
  }

  *[Symbol.iterator](): ArrayIterator<T> {
    for (let i = 0; i < this.length; i++) yield this.#backing[i] as T;
  }

  toJSON(): T[] {
    return this.slice();
  }
}

/** Clamps a bound like `Array.prototype.slice`, but to the length of the handle. */
function clamp(bound: number, length: number): number {
  return bound < 0 ? Math.max(0, bound + length) : Math.min(bound, length);
}
