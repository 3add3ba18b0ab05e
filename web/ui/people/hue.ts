export const HUES = 8;

/** One of eight hues: the same for this participant in every room, on every machine. */
export function hueOf(id: string): number {
  return hashOf(id) % HUES;
}

export function hashOf(id: string): number {
  let value = 0x811c9dc5;
  for (const char of id) value = Math.imul(value ^ (char.codePointAt(0) as number), 0x01000193);
  return value >>> 0;
}
