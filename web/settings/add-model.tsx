import { useLayoutEffect, useRef, useState } from 'react';
import type { WireModel } from '../../src/client/index.ts';
import { freeId } from '../rooms/threads/panel/invite-model.tsx';
import { go, useAddress } from '../shell/address.ts';
import { Anchor } from './anchor.tsx';
import { ModelForm } from './model-form.tsx';

interface AddModelProps {
  readonly taken: readonly WireModel[];
  onAdded(name: string): Promise<void>;
}

/** A form that an address opens; left by Esc, it keeps what was written. */
export function AddModel({ taken, onAdded }: AddModelProps) {
  const address = useAddress();
  const isOpen = address.room === 'settings' && address.at === 'add-model';
  const wasOpen = useRef(false);
  const [forms, setForms] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  return (
    <Anchor id="add-model" label="Add a model">
      {!isOpen && (
        <p>
          <button type="button" className="act" ref={button} onClick={() => go('/settings#add-model')}>
            Add a model
          </button>
        </p>
      )}
      <ModelForm
        key={forms}
        name={freeId('chat', new Set(taken.map(({ name }) => name)))}
        isHidden={!isOpen}
        onSaved={async (name) => {
          setForms(forms + 1);
          go('/settings');
          await onAdded(name);
        }}
        onLeave={(how) => {
          if (how === 'none') setForms(forms + 1);
          go('/settings');
        }}
      />
    </Anchor>
  );
}
