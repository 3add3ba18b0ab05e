import { useState } from 'react';
import type { Persona } from '../../src/client/index.ts';
import { Button } from '../ui/controls/button.tsx';
import { TextArea, TextField } from '../ui/controls/field.tsx';
import { Select } from '../ui/controls/select.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { useAttempt } from '../ui/refusal.tsx';
import styles from './persona-dialog.module.css';

type PersonaFields = Omit<Persona, 'id'>;

interface PersonaDialogProps {
  /** The persona to edit; a new one is made without it. */
  readonly persona?: Persona;
  /** The names of the models to choose from. */
  readonly models: readonly string[];
  /** Stores it; what it throws is shown, and the dialog stays open. */
  onSave(fields: PersonaFields): Promise<unknown>;
  onClose(): void;
}

const FORM = 'persona-form';
const NO_MODEL = '-';

/** Makes or edits an agent to invite anywhere (T38). */
export function PersonaDialog({ persona, models, onSave, onClose }: PersonaDialogProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [model, setModel] = useState(persona?.model ?? models[0] ?? NO_MODEL);

  async function save(data: FormData): Promise<void> {
    const name = String(data.get('name') ?? '').trim();
    const instructions = String(data.get('instructions') ?? '').trim();
    const fields = { name, ...(instructions && { instructions }), ...(model !== NO_MODEL && { model }) };
    if (await attempt(async () => (await onSave(fields)) ?? true)) onClose();
  }

  const footer = (
    <>
      <Button kind="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button kind="primary" type="submit" form={FORM} disabled={busy}>
        {persona ? 'Save' : 'Add persona'}
      </Button>
    </>
  );
  return (
    <Dialog
      title={persona ? 'Edit persona' : 'New persona'}
      description="An agent that you can invite to any thread."
      footer={footer}
      onClose={onClose}
    >
      <form id={FORM} className={styles.fields} onSubmit={handleSubmit(save)}>
        <TextField
          ref={focusOnMount}
          label="Name"
          name="name"
          error={refusal}
          dir="auto"
          defaultValue={persona?.name}
          maxLength={64}
          autoComplete="off"
          required
        />
        <TextArea
          label="Instructions"
          name="instructions"
          hint="What it should do, and how. Everybody in a thread can read them."
          dir="auto"
          rows={6}
          defaultValue={persona?.instructions}
          maxLength={16_000}
        />
        <Select
          label="Model"
          value={model}
          options={[
            ...models.map((name) => ({ value: name, label: name })),
            { value: NO_MODEL, label: 'None', hint: 'A program connects as this agent.' },
          ]}
          onChange={setModel}
        />
      </form>
    </Dialog>
  );
}
