/** How a command's help says that a thread may be named. */
export const THREAD_HELP = 'its ID, the beginning or end of its ID, or its exact title';
