/** How long a signed-in browser stays signed in, and how long it may keep what it has shown (I22). */
export const SESSION_SECONDS = 30 * 24 * 3600;
