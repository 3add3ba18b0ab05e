import type { EventLog, Fork, RecordWrite } from './event-log.ts';

/** The new text of the event at a position: only repair ever rewrites events (L22). */
export interface EventRewrite {
  readonly position: number;
  readonly body: string;
  readonly hash: string;
}

export interface LogRepair {
  readonly rewrites: readonly EventRewrite[];
  readonly forks: readonly Fork[];
  /** The newest position when the repair was planned: if anything was written since, nothing is repaired. */
  readonly head: number;
  /** The records about the repair, stored in the repaired workspace. */
  readonly records: readonly RecordWrite[];
}

/** A repaired workspace that has not yet replaced the damaged one. */
export interface RepairedLog {
  readonly log: EventLog;
  /** Replaces the damaged workspace, and returns where the damaged state is kept. */
  accept(): Promise<string>;
  /** Leaves the workspace unchanged, as far as the store can. */
  discard(): Promise<void>;
}
