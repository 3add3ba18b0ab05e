/** Ids that no participant may have, in upper or lower case. */
export const RESERVED_IDS: readonly string[] = ['all', 'system'];

/** A kind of thread is a word that can stand in an address. */
export const THREAD_KIND = /^[a-z]{1,32}$/;
