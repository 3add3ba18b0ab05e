/** A fault rig: `full` is what `npm run faults` does, `slice` what the tests do. Throws when a promise is broken. */
export interface Fault {
  readonly name: string;
  /** The rules it holds. */
  readonly rules: string;
  readonly slice: number;
  readonly full: number;
  run(amount: number, say: (progress: string) => void): Promise<string>;
}

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
