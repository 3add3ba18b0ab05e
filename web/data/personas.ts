import { useEffect } from 'react';
import type { Persona } from '../../src/client/index.ts';
import { client } from './session.ts';
import { createStore, useStore } from './store.ts';

const personas = createStore<readonly Persona[]>([]);

/** The agents to invite, by name; read again whenever a part of the page that shows them opens. */
export function usePersonas(): readonly Persona[] {
  useEffect(() => void loadPersonas().catch(() => {}), []); // Without an answer the last known ones are shown.
  return useStore(personas);
}

async function loadPersonas(): Promise<void> {
  const answer = await client.personas.list();
  personas.set(answer.personas.toSorted((a, b) => a.name.localeCompare(b.name)));
}

type PersonaFields = Omit<Persona, 'id'>;

export async function addPersona(fields: PersonaFields & Partial<Persona>): Promise<Persona> {
  const { persona } = await client.personas.add(fields);
  await loadPersonas();
  return persona;
}

export async function changePersona(id: string, { name, instructions, model }: PersonaFields): Promise<void> {
  await client.personas.change(id, { name, instructions: instructions ?? null, model: model ?? null });
  await loadPersonas();
}

export async function removePersona(id: string): Promise<Persona> {
  const { persona } = await client.personas.remove(id);
  await loadPersonas();
  return persona;
}
