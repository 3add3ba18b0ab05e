import type { KeyboardEvent } from 'react';
import { useStore } from '../../../data/store.ts';
import { DiscussionLink } from '../../discussion-link.tsx';
import { exportLoom, importInto } from '../files.ts';
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
import type { GenerationOptions } from '../session/edit-session.ts';

export const EXPORT_FORMATS = [
  { format: 'markdown', is: 'Markdown, with authors' },
  { format: 'text', is: 'Plain text' },
  { format: 'html', is: 'HTML, with authors' },
  { format: 'jsonl', is: 'Everything' },
  { format: 'openloom', is: 'OpenLoom' },
  { format: 'loom', is: 'Python loom' },
] as const;

/** Generation settings, key bindings, exports and the link to the discussion. */
export function SettingsTab({ loom }: { readonly loom: OpenLoom }) {
  const options = useStore(loom.generationOptions);
  const models = useStore(loom.models);
  const { settings } = useStore(loom.replica.loom);
  const setOptions = (change: { [Key in keyof GenerationOptions]?: GenerationOptions[Key] | undefined }) =>
    loom.generationOptions.set((before) => {
      const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(next) as GenerationOptions;
    });
  const field = (name: 'n' | 'max_tokens' | 'temperature' | 'seed', label: string, range: FieldRange) => (
    <label className="setting">
      {label}
      <input
        type="number"
        inputMode="decimal"
        min={range.min}
        max={range.max}
        step={range.step ?? 1}
        placeholder={range.placeholder}
        value={options[name] ?? ''}
        onChange={({ target }) => {
          const value = target.valueAsNumber;
          setOptions({ [name]: Number.isNaN(value) ? undefined : Math.min(range.max, Math.max(range.min, value)) });
        }}
      />
    </label>
  );
  const defaultModel = models.find(({ default_for }) => default_for.includes('loom'))?.name ?? '';
  return (
    <section className="loom-settings">
      <label className="setting">
        Model
        <select value={options.model ?? ''} onChange={({ target }) => setOptions({ model: target.value || undefined })}>
          <option value="">{settings.model ?? defaultModel}</option>
          {models
            .filter(({ name }) => name !== (settings.model ?? defaultModel))
            .map(({ name, capabilities }) => (
              <option key={name} value={name}>
                {name}
                {capabilities?.label === 'small' && name !== 'small' ? ' (small)' : ''}
              </option>
            ))}
        </select>
      </label>
      {field('n', 'Ways at once', { min: 1, max: 32, placeholder: String(settings.n ?? 3) })}
      {field('max_tokens', 'Tokens each', { min: 1, max: 8192, placeholder: String(settings.max_tokens ?? 50) })}
      {field('temperature', 'Temperature', {
        min: 0,
        max: 5,
        step: 0.1,
        placeholder: String(settings.temperature ?? 'usual'),
      })}
      {field('seed', 'Seed', { min: 0, max: 2 ** 47, placeholder: 'by chance' })}
      <h2>This loom</h2>
      <p className="exports">
        <DiscussionLink id={loom.id} />
      </p>
      <h2>Files</h2>
      <p className="exports">
        {EXPORT_FORMATS.map(({ format, is: label }) => (
          <button key={format} type="button" className="act" onClick={() => void exportLoom(loom, format)}>
            {label}
          </button>
        ))}
      </p>
      <label className="act">
        Bring in a loom or a text
        <input
          type="file"
          multiple
          className="unseen"
          onChange={({ target }) => void importInto(loom, [...(target.files ?? [])])}
        />
      </label>
      <p className="soft">Or drop files anywhere on the text.</p>
      <KeySettingsForm loom={loom} />
    </section>
  );
}

interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly placeholder: string;
}

function KeySettingsForm({ loom }: { readonly loom: OpenLoom }) {
  const keySettings = useStore(loom.keySettings);
  const bindings = bindingsOf(keySettings);

  function bind(name: ActionName, event: KeyboardEvent): void {
    if (event.key === 'Tab') return;
    event.preventDefault();
    const binding = bindingFromEvent(event);
    if (!binding) return;
    const conflict = (Object.keys(ACTION_LABELS) as ActionName[]).find(
      (other) => other !== name && bindings[other] === binding,
    );
    if (conflict)
      loom.session.notice.set(
        `${formatBinding(binding)} is taken: it does “${ACTION_LABELS[conflict]}”. Change that first.`,
      );
    else loom.keySettings.set({ ...keySettings, own: { ...keySettings.own, [name]: binding } });
  }

  return (
    <>
      <h2>Keys</h2>
      <label className="setting">
        As in
        <select
          value={keySettings.preset}
          onChange={({ target }) => loom.keySettings.set({ preset: target.value as PresetName, own: {} })}
        >
          {PRESET_NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p className="soft">To change one, go into its field and press the keys.</p>
      <p className="soft">A fine line in the text shows where a node begins. Hold Alt to see it better.</p>
      {(Object.keys(ACTION_LABELS) as ActionName[]).map((name) => (
        <label key={name} className="setting">
          {ACTION_LABELS[name]}
          <input
            readOnly
            className="key-field"
            value={formatBinding(bindings[name])}
            onKeyDown={(event) => bind(name, event)}
          />
        </label>
      ))}
    </>
  );
}
