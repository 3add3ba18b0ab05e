/** What "heddle doctor" wants to know of a store. */
export interface LogCheck {
  /** The store and its version, such as "SQLite 3.53.0". */
  readonly store: string;
  /** The database's version and the one this Heddle writes. */
  readonly version: number;
  readonly current: number;
  /** What is damaged, in the store's own words. */
  readonly damage: readonly string[];
  /** Settings of the store under which an acknowledged event may still be lost (L8). */
  readonly weaknesses: readonly string[];
}
