import type { seeded } from '../support/random.ts';
import type { Caller } from './caller.ts';
import type { House } from './house.ts';

export type Random = ReturnType<typeof seeded>;

/** One way for a semi-trusted agent to do harm. It is over by itself, whatever the server does. */
export interface Tactic {
  readonly name: string;
  /** The rules it tries to break. */
  readonly rules: string;
  /** It measures, so that no other tactic may run meanwhile. */
  readonly alone?: true;
  run(scene: Scene): Promise<void>;
}

/** What a tactic works with. */
export interface Scene {
  readonly house: House;
  /** The same for the same seed and tactic, whatever else runs. */
  readonly random: Random;
  /** 1 in the tests, more in the rig. */
  readonly scale: number;
  /** An agent with a credential of its own, that no other tactic uses. */
  intruder(): Promise<Caller>;
  find(what: string, example?: unknown): void;
}
