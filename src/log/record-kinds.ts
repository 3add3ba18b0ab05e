/** The thread index: derived, one row per thread (T10). */
export const THREAD_INDEX = 'thread';
/** The version of the rows of the thread index, and the progress of a rebuild (L14). */
export const ROWS_MARK = 'rows-mark';
/** Threads that came in by an import: reactions begin after the seq noted here (L13). */
export const IMPORTED_RANGES = 'imported';
/**
 * Blobs that an imported export named but did not contain, by hash: known to be lost before, not removed since (L20,
 * L24).
 */
export const MISSING_BLOB = 'missing-blob';
/**
 * Repairs of this workspace, by time: what was repaired, the heads before and after, and where the damaged copy is
 * (L22).
 */
export const REPAIR = 'repair';
/** Written when a restore starts to store and removed when it is done: until then the workspace is incomplete. */
export const RESTORE_IN_PROGRESS = 'restoring';
/** A participant's uncommitted text in a loom, by thread and participant: not an event (W9). */
export const SCRATCH = 'scratch';
/** Finished parts of a model's unfinished work, by thread, job and part (W28). */
export const FINISHED_WORK = 'finished';
/** Model usage, one kind of row for each aggregation: `usage.thread` and so on (M7). */
export const USAGE = 'usage';
/** What model servers were found to accept, by server and model: rediscovered if lost (M11). */
export const MODEL_QUIRKS = 'model-quirks';
/** How the last call of each model went, by the model's name: unknown until the next call if lost (M14). */
export const MODEL_LAST_CALL = 'model-last-call';
/** The session id of a command-line agent in a thread, by thread and participant, so that it can resume (I10). */
export const AGENT_SESSION = 'agent-session';
/** How much of its hourly allowance an agent has used, by participant (T23). */
export const ALLOWANCE = 'allowance';
/** What an uploaded file is, by hash, and who uploaded it first: found out again from its bytes if lost (I27). */
export const UPLOAD = 'upload';
/** How far a participant has read a thread, by participant and thread: not an event (T20). */
export const READ_MARK = 'read-mark';
/** The threads that a person has pinned, in order, by participant: not an event (T34). */
export const PINS = 'pins';
/** What a person says of themselves, by participant: name and picture (T37). */
export const PROFILE = 'profile';
/** Agents to invite, by id: name, instructions and model (T38). */
export const PERSONA = 'persona';
/** Who may act, by the SHA-256 of the token: never the token itself (L17). */
export const CREDENTIAL = 'credential';
/**
 * The credential whose token can be printed again, by the id of a workspace directory's key and the participant (C3).
 */
export const CURRENT_TOKEN = 'current-token';
/** The permanent kind of an id; kept when its credentials are gone. */
export const IDENTITY = 'identity';
