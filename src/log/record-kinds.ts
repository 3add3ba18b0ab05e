/** The index of threads: derived, one row per thread (T10). */
export const THREAD_INDEX = 'thread';
/** Which version the rows of the index of threads are of, and how far they are while they are made anew (L14). */
export const ROWS_MARK = 'rows-mark';
/** Threads that came in by an import: reactions begin after the seq noted here (L13). */
export const IMPORTED_RANGES = 'imported';
/** Blobs that an imported export named and did not carry, by hash: known to be lost, not taken away since (L20, L24). */
export const MISSING_BLOB = 'missing-blob';
/** Repairs of this workspace, by time: what was mended, the heads before and after, and where the damaged copy is (L22). */
export const REPAIR = 'repair';
/** Written when a restore begins to store and removed when it is done: what is there between is not all. */
export const RESTORE_IN_PROGRESS = 'restoring';
/** What a participant has not committed in a loom, by thread and participant: no event (W9). */
export const SCRATCH = 'scratch';
/** What a model has finished of work that is still going on, by thread, job and part (W28). */
export const FINISHED_WORK = 'finished';
/** What models have used, one kind of row for each way of adding it up: `usage.thread` and so on (M7). */
export const USAGE = 'usage';
/** What servers of models were found to take, by server and model: found out again when it is gone (M11). */
export const MODEL_QUIRKS = 'model-quirks';
/** What a command-line agent calls its talk in a thread, by thread and participant: it goes on from there (I10). */
export const AGENT_SESSION = 'agent-session';
/** What an agent has used of what it may do in an hour, by participant (T23). */
export const ALLOWANCE = 'allowance';
/** How far a participant has read a thread, by participant and thread: no event (T20). */
export const READ_MARK = 'read-mark';
/** Who may act, by the SHA-256 of the token: never the token itself (L17). */
export const CREDENTIAL = 'credential';
/** The credential whose token is printed again, by the id of a workspace directory's key and the participant (C3). */
export const CURRENT_TOKEN = 'current-token';
/** Of which kind an id is, for good: kept when its credentials are gone. */
export const IDENTITY = 'identity';
