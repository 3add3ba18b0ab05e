import { createContext, useContext } from 'react';

/** The hue of each participant, one of eight, by the order in which they joined the thread. */
export const Hues = createContext<ReadonlyMap<string, number>>(new Map());

const RING = 8;

/** A name in its author's colour, with an underline of its own as the second cue. */
export function Person({ id }: { readonly id: string }) {
  const hue = useHue(id);
  return (
    <span className={`person hue-${hue}`} title={id}>
      {id}
    </span>
  );
}

function useHue(id: string): number {
  const index = useContext(Hues).get(id);
  return (index ?? [...id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 997, 7)) % RING;
}
