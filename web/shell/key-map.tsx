import { useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { Kbd } from '../ui/controls/kbd.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { currentActionGroups, formatKey } from './actions.ts';
import styles from './key-map.module.css';

/** All keys available here, the room's own first. */
export function KeyMap({ onClose }: { onClose(): void }) {
  const [groups] = useState(() => currentActionGroups().filter(({ actions }) => actions.some(({ keys }) => keys)));
  return (
    <Dialog
      title="Keys"
      size="large"
      description={
        browserStorage.hasLetterKeys()
          ? 'In a room, letters are text. Press Esc first to use them as shortcuts.'
          : 'Single-key shortcuts are off in the settings.'
      }
      onClose={onClose}
    >
      {groups.map(({ label, actions }) => (
        <section key={label} aria-label={label}>
          <h3 className={styles.label}>{label}</h3>
          <dl className={styles.keys}>
            {actions.map(({ name, keys = [] }) =>
              keys.length === 0 ? null : (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <span className="unseen">{keys.map(formatKey).join(' or ')}</span>
                    {keys.map((key) => (
                      <Kbd key={key} keys={formatKey(key)} />
                    ))}
                  </dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
