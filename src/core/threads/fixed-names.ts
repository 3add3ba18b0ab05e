/** Ids that no participant may have, in upper or lower case. */
export const RESERVED_IDS: readonly string[] = ['all', 'system'];

export const THREAD_KINDS = ['conversation', 'dialogue', 'exchange', 'loom'] as const;
