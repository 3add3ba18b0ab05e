import type { EventLog, Fork, RecordWrite } from './event-log.ts';

/** An event as it is to stand at its position: repair is the one thing that ever rewrites events (L22). */
export interface EventRewrite {
  readonly position: number;
  readonly body: string;
  readonly hash: string;
}

export interface LogRepair {
  readonly rewrites: readonly EventRewrite[];
  readonly forks: readonly Fork[];
  /** The newest position when it was planned: if something was written since, nothing is mended. */
  readonly head: number;
  /** What is noted about it in the mended workspace. */
  readonly records: readonly RecordWrite[];
}

/** A workspace that was mended and not yet put in the place of the damaged one. */
export interface RepairedLog {
  readonly log: EventLog;
  /** Puts it there, and says where the damaged state is kept. */
  accept(): Promise<string>;
  /** Leaves the workspace as it was, as far as the store can. */
  discard(): Promise<void>;
}
