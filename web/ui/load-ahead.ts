const FIRST_ROOM_MS = 1_500;

/** Loads what will be wanted next, once the first room has had the line to itself. */
export function loadAhead(load: () => Promise<void>): () => void {
  const timer = setTimeout(() => void load(), FIRST_ROOM_MS);
  return () => clearTimeout(timer);
}
