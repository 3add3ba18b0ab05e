/** The facts about a store that `heddle doctor` reports. */
export interface LogCheck {
  /** The store and its version, such as "SQLite 3.53.0". */
  readonly store: string;
  /** The database's schema version, followed by the one this Heddle writes. */
  readonly version: number;
  readonly current: number;
  /** Descriptions of damage, in the store's own words. */
  readonly damage: readonly string[];
  /** Store settings that could lose an acknowledged event (L8). */
  readonly weaknesses: readonly string[];
}
