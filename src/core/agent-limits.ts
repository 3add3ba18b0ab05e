/** How much one agent may do (T23). Several credentials of one participant count together; humans are not limited. */
export interface AgentLimits {
  /** Threads, forks and side channels it may create in an hour. */
  readonly threadsPerHour: number;
  readonly invitationsPerHour: number;
  /** Drafts of its own that may wait in one thread. */
  readonly openDrafts: number;
  /** Size of the files of one import, together. */
  readonly importBytes: number;
}

export const MEGABYTE = 1024 * 1024;

/** What holds unless a human says otherwise, in heddle.yaml. */
export const DEFAULT_AGENT_LIMITS: AgentLimits = {
  threadsPerHour: 20,
  invitationsPerHour: 50,
  openDrafts: 20,
  importBytes: 32 * MEGABYTE,
};
