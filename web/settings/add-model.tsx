import { useLayoutEffect, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { uniqueId } from '../rooms/threads/panel/invite-model.tsx';
import { navigate, useAddress } from '../shell/address.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { ModelForm } from './model-form.tsx';
import { SettingsSection } from './section.tsx';

interface AddModelProps {
  readonly existing: readonly WireModel[];
  onAdded(name: string): Promise<void>;
}

/** A form that an address can open; closed by Esc, it keeps its text. */
export function AddModel({ existing, onAdded }: AddModelProps) {
  const address = useAddress();
  const isOpen = address.room === 'settings' && address.at === 'add-model';
  const wasOpen = useRef(false);
  const [formKey, setFormKey] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  return (
    <SettingsSection id="add-model" label="Add a model">
      {!isOpen && (
        <p>
          <ActionButton ref={button} onClick={() => navigate('/settings#add-model')}>
            Add a model
          </ActionButton>
        </p>
      )}
      <ModelForm
        key={formKey}
        name={uniqueId('chat', new Set(existing.map(({ name }) => name)))}
        isHidden={!isOpen}
        onSaved={async (name) => {
          setFormKey(formKey + 1);
          navigate('/settings');
          await onAdded(name);
        }}
        onDismiss={(outcome) => {
          if (outcome === 'none') setFormKey(formKey + 1);
          navigate('/settings');
        }}
      />
    </SettingsSection>
  );
}
