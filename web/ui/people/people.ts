import { createContext, useContext } from 'react';
import { hueOf } from './hue.ts';

/** What the page knows of a participant, to show a face and a name. */
export interface KnownPerson {
  readonly name: string;
  readonly kind: 'person' | 'model' | 'client';
  /** The address of a picture. */
  readonly picture?: string | undefined;
  /** What hue and glyph go by, if it is not the id. */
  readonly face?: string | undefined;
}

/** Finds participants by id: the page provides everyone of the workspace, a room its own people. */
export const People = createContext<(id: string) => KnownPerson | undefined>(() => undefined);

/** Somebody nobody knows is shown as a person with their id. */
export function usePerson(id: string): KnownPerson {
  return useContext(People)(id) ?? { name: id, kind: 'person' };
}

/** The hue of a participant's face. */
export function useHue(id: string): number {
  return hueOf(usePerson(id).face ?? id);
}
