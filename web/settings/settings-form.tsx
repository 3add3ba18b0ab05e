import { type ReactNode, useState } from 'react';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { SettingsSection } from './section.tsx';

interface SettingsFormProps {
  /** The section's name in an address. */
  readonly id: string;
  readonly label: string;
  /** The hint shown until the form is saved. */
  readonly hint: string;
  /** The form's fields, each with a name. */
  readonly children: ReactNode;
  save(form: FormData): Promise<unknown>;
  onSaved(): Promise<void>;
}

/** A section of the settings that is saved to heddle.yaml. */
export function SettingsForm({ id, label, hint, children, save, onSaved }: SettingsFormProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [isSaved, setSaved] = useState(false);

  async function submit(form: FormData): Promise<void> {
    setSaved(false);
    if (!(await attempt(() => save(form)))) return;
    setSaved(true);
    await onSaved();
  }

  return (
    <SettingsSection id={id} label={label}>
      <form aria-label={label} onChange={() => setSaved(false)} onSubmit={handleSubmit(submit)}>
        <h2>{label}</h2>
        <p className="line saved-fields">
          {children}
          <button type="submit" className="act" disabled={busy}>
            Save
          </button>
        </p>
        <p className="soft" role="status">
          {isSaved ? 'Saved in heddle.yaml.' : hint}
        </p>
        <RefusalMessage reason={refusal} />
      </form>
    </SettingsSection>
  );
}
