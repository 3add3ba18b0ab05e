/** How much one agent may do (T23). Several credentials of one participant count together; humans are not limited. */
export interface AgentLimits {
  /** Threads, forks and side channels it may create in an hour. */
  readonly threadsPerHour: number;
  readonly invitationsPerHour: number;
  /** Drafts of one agent that may be open in one thread. */
  readonly openDrafts: number;
  /** Total size of the files of one import. */
  readonly importBytes: number;
  /** Total size of the files it uploads in an hour. */
  readonly uploadBytesPerHour: number;
}

export const MEGABYTE = 1024 * 1024;

/** Defaults; a human can change them in heddle.yaml. */
export const DEFAULT_AGENT_LIMITS: AgentLimits = {
  threadsPerHour: 20,
  invitationsPerHour: 50,
  openDrafts: 20,
  importBytes: 32 * MEGABYTE,
  uploadBytesPerHour: 256 * MEGABYTE,
};
