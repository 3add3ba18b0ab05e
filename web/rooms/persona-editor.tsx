import { useEffect, useState } from 'react';
import type { Persona } from '../../src/client/index.ts';
import { addPersona, changePersona } from '../data/personas.ts';
import { client } from '../data/session.ts';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import { PersonaDialog } from './persona-dialog.tsx';

interface PersonaEditorProps {
  /** The persona to edit; a new one is made without it. */
  readonly persona?: Persona | undefined;
  onAdded?(persona: Persona): void;
  onClose(): void;
}

/** The persona dialog with the models of the workspace, which stores what was written. */
export function PersonaEditor({ persona, onAdded, onClose }: PersonaEditorProps) {
  const [models, setModels] = useState<readonly string[]>();
  useEffect(() => {
    client.models.list().then(
      (answer) => setModels(answer.models.map(({ name }) => name)),
      () => setModels([]), // Saving says why.
    );
  }, []);
  async function save(fields: Omit<Persona, 'id'>): Promise<void> {
    if (persona) return changePersona(persona.id, fields);
    const added = await addPersona(fields);
    onAdded?.(added);
  }

  if (!models) return null;
  const known = persona?.model && !models.includes(persona.model) ? [...models, persona.model] : models;
  return <PersonaDialog {...(persona && { persona })} models={known} onSave={save} onClose={onClose} />;
}

/** "wren · Answers in one sentence." */
export function describePersona({ model, instructions = '' }: Persona): string {
  return [model === undefined ? 'A program connects as this agent' : escapeBidi(model), firstLine(instructions)]
    .filter(Boolean)
    .join(' · ');
}
