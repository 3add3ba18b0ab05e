import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Persona } from '../../src/client/index.ts';
import { addPersona, removePersona, usePersonas } from '../data/personas.ts';
import { describePersona, PersonaEditor } from '../rooms/persona-editor.tsx';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { showToast } from '../ui/floating/toast.tsx';
import { Avatar } from '../ui/people/avatar.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import styles from './personas.module.css';
import { Row, Rows } from './rows.tsx';
import { SettingsSection } from './section.tsx';

/** The persona in the dialog; `new` makes one. */
type OpenPersona = Persona | 'new';

/** Agents to invite anywhere: made, changed and removed here. */
export function PersonasSection() {
  const personas = usePersonas();
  const [open, setOpen] = useState<OpenPersona>();
  const { attempt, busy, refusal } = useAttempt();

  useActions('Settings', [{ name: 'New persona', act: () => setOpen('new') }]);

  async function remove(persona: Persona): Promise<void> {
    if (!(await attempt(() => removePersona(persona.id)))) return;
    const onPress = () => void attempt(() => addPersona(persona));
    showToast({ message: `Removed ${escapeBidi(persona.name)}.`, action: { label: 'Undo', onPress } });
  }

  return (
    <SettingsSection
      id="personas"
      label="Personas"
      text="Agents with a name, instructions and a model, to invite to any thread. Those you invited stay as they are."
    >
      {personas.length > 0 && (
        <Rows label="Your personas">
          {personas.map((persona) => (
            <Row
              key={persona.id}
              icon={<Avatar id={persona.id} kind={persona.model ? 'model' : 'client'} />}
              title={escapeBidi(persona.name)}
              text={describePersona(persona)}
              actions={
                <>
                  <Button aria-label={`Edit ${persona.name}`} onClick={() => setOpen(persona)}>
                    Edit
                  </Button>
                  <Button aria-label={`Remove ${persona.name}`} disabled={busy} onClick={() => void remove(persona)}>
                    Remove
                  </Button>
                </>
              }
            />
          ))}
        </Rows>
      )}
      <p className={styles.add}>
        <Button icon={Plus} onClick={() => setOpen('new')}>
          New persona
        </Button>
      </p>
      <RefusalMessage reason={refusal} />
      {open && <PersonaEditor persona={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />}
    </SettingsSection>
  );
}
