/** The index of threads: derived, one row per thread (T10). */
export const THREAD_INDEX = 'thread';
/** Threads that came in by an import: reactions begin after the seq noted here (L13). */
export const IMPORTED = 'imported';
