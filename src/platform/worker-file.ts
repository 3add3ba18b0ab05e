/**
 * Locates a worker's code. From source, it is the file next to its caller; in the built program, every worker is a
 * separate file next to `heddle.js`, and its caller may be in a chunk.
 */
export function workerFile(caller: string, source: string, built: string): URL {
  if (caller.endsWith('.ts')) return new URL(source, caller);
  return new URL(caller.includes('/chunks/') ? `../${built}` : `./${built}`, caller);
}
