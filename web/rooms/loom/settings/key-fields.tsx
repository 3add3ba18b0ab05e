import { type KeyboardEvent, useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import {
  ACTION_LABELS,
  type ActionName,
  bindingFromEvent,
  bindingsOf,
  formatBinding,
  PRESET_NAMES,
  type PresetName,
} from '../keymap.ts';
import type { OpenLoom } from '../loom.ts';
import styles from './settings.module.css';

const PRESET_LABELS: Record<PresetName, string> = { heddle: 'Heddle', loomsidian: 'Loomsidian', pyloom: 'Python loom' };

/** The keys of the text: as in another program, and each of one's own. */
export function KeyFields({ loom }: { readonly loom: OpenLoom }) {
  const keySettings = useStore(loom.keySettings);
  const bindings = bindingsOf(keySettings);
  const [conflict, setConflict] = useState<string>();

  function bind(name: ActionName, event: KeyboardEvent): void {
    if (event.key === 'Tab' || event.key === 'Escape') return;
    event.preventDefault();
    const binding = bindingFromEvent(event);
    if (!binding) return;
    const taken = (Object.keys(ACTION_LABELS) as ActionName[]).find(
      (other) => other !== name && bindings[other] === binding,
    );
    setConflict(
      taken && `${formatBinding(binding)} is already used for “${ACTION_LABELS[taken]}”. Change that one first.`,
    );
    if (!taken) loom.keySettings.set({ ...keySettings, own: { ...keySettings.own, [name]: binding } });
  }

  return (
    <div className={styles.section}>
      <Select
        label="Key preset"
        value={keySettings.preset}
        options={PRESET_NAMES.map((value) => ({ value, label: PRESET_LABELS[value] }))}
        onChange={(preset) => loom.keySettings.set({ preset, own: {} })}
      />
      <p className={styles.hint}>To change a key, click its field and press the new one.</p>
      {conflict && <Banner tone="failure">{conflict}</Banner>}
      {(Object.keys(ACTION_LABELS) as ActionName[]).map((name) => (
        <label key={name} className={styles.key}>
          {ACTION_LABELS[name].charAt(0).toUpperCase() + ACTION_LABELS[name].slice(1)}
          <input readOnly value={formatBinding(bindings[name])} onKeyDown={(event) => bind(name, event)} />
        </label>
      ))}
    </div>
  );
}
