import { useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { Select } from '../ui/controls/select.tsx';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import styles from './defaults.module.css';
import { type ModelUse, USE_LABELS, USES } from './model-fields.ts';
import { SettingsSection } from './section.tsx';

interface DefaultModelsProps {
  readonly models: readonly WireModel[];
  onSaved(): Promise<void>;
}

/** The default models; a choice is saved at once. */
export function DefaultModels({ models, onSaved }: DefaultModelsProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [isSaved, setSaved] = useState(false);

  async function choose(use: ModelUse, name: string): Promise<void> {
    setSaved(false);
    if (!(await attempt(() => client.models.use({ [use]: name })))) return;
    setSaved(true);
    await onSaved();
  }

  return (
    <SettingsSection
      id="defaults"
      label="Default models"
      text="Used for every dialogue, audit and loom without its own model."
    >
      <div className={styles.three}>
        {USES.map((use) => (
          <Select
            key={use}
            label={USE_LABELS[use]}
            value={models.find(({ default_for }) => default_for.includes(use))?.name ?? 'small'}
            options={models.map(({ name }) => ({ value: name, label: name }))}
            disabled={busy}
            onChange={(name) => void choose(use, name)}
          />
        ))}
      </div>
      <p className={styles.status} role="status">
        {isSaved && 'Saved in heddle.yaml.'}
      </p>
      <RefusalMessage reason={refusal} />
    </SettingsSection>
  );
}
