import { useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { currentActionGroups, formatKey } from './actions.ts';

/** All keys available here, the room's own first. */
export function KeyMap({ onClose }: { onClose(): void }) {
  const [groups] = useState(() => currentActionGroups().filter(({ actions }) => actions.some(({ keys }) => keys)));
  return (
    <Sheet label="Keys" onClose={onClose}>
      <p className="soft">
        {browserStorage.hasLetterKeys()
          ? 'In a room, letters are text. Press Esc first to use them as shortcuts.'
          : 'Single-key shortcuts are off in the settings.'}
      </p>
      {groups.map(({ label, actions }) => (
        <section key={label} aria-label={label}>
          <h2>{label}</h2>
          <dl className="keys">
            {actions.map(({ name, keys = [] }) =>
              keys.length === 0 ? null : (
                <div key={name}>
                  <dt>{keys.map(formatKey).join(' or ')}</dt>
                  <dd>{name}</dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
      <p className="sheet-foot">
        <ActionButton onClick={onClose}>Close</ActionButton>
      </p>
    </Sheet>
  );
}
