import { useLayoutEffect, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { navigate, useAddress } from '../shell/address.ts';
import styles from './add-model.module.css';
import { type KeptFields, ModelForm } from './model-form.tsx';
import { PRESETS } from './presets.ts';
import { SettingsSection } from './section.tsx';

interface AddModelProps {
  readonly existing: readonly WireModel[];
  onAdded(name: string): Promise<void>;
}

/** The providers to choose from. An address can open the form too; closed by Esc, the form keeps its text. */
export function AddModel({ existing, onAdded }: AddModelProps) {
  const address = useAddress();
  const isOpen = address.room === 'settings' && address.at === 'add-model';
  const [preset, setPreset] = useState<string>();
  const [kept, setKept] = useState<KeptFields>();
  const grid = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const hasFocus = document.activeElement !== document.body;
    if (wasOpen.current && !isOpen && !hasFocus) grid.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  function close(fields?: KeptFields): void {
    setKept(fields);
    setPreset(undefined);
    navigate('/settings');
  }

  return (
    <SettingsSection id="add-model" label="Add a model" text="Choose a provider. Most need only a key.">
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, not fields of a form */}
      <div ref={grid} role="group" aria-label="Providers" className={styles.presets}>
        {PRESETS.map(({ id, name, about }) => (
          <button
            key={id}
            type="button"
            className={styles.preset}
            onClick={() => {
              setPreset(id);
              navigate('/settings#add-model');
            }}
          >
            <b>{name}</b> <small>{about}</small>
          </button>
        ))}
      </div>
      {isOpen && (
        <ModelForm
          preset={preset}
          kept={preset === undefined || preset === kept?.preset ? kept : undefined}
          taken={new Set(existing.map(({ name }) => name))}
          onSaved={async (name) => {
            close();
            await onAdded(name);
          }}
          onClose={close}
        />
      )}
    </SettingsSection>
  );
}
