import type { KeyboardEvent } from 'react';
import { useStore } from '../../../data/store.ts';
import { ToSaidBeside } from '../../discussion-link.tsx';
import { bringInto, takeOut } from '../files.ts';
import { type ActionName, bindingFor, bindingsOf, DOES, PRESET_NAMES, type PresetName, readable } from '../keymap.ts';
import type { Loom } from '../loom.ts';
import type { GenerationWish } from '../session/edit-session.ts';

export const EXPORTS = [
  { format: 'markdown', is: 'Markdown, with authors' },
  { format: 'text', is: 'Plain text' },
  { format: 'html', is: 'HTML, with authors' },
  { format: 'jsonl', is: 'Everything' },
  { format: 'openloom', is: 'OpenLoom' },
  { format: 'loom', is: 'Python loom' },
] as const;

/** How continuations are asked for, which keys do what, and ways out of here. */
export function Settings({ loom }: { readonly loom: Loom }) {
  const wish = useStore(loom.wish);
  const models = useStore(loom.models);
  const { settings } = useStore(loom.replica.loom);
  const set = (change: { [Key in keyof GenerationWish]?: GenerationWish[Key] | undefined }) =>
    loom.wish.set((before) => {
      const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(next) as GenerationWish;
    });
  const field = (name: 'n' | 'max_tokens' | 'temperature' | 'seed', label: string, range: Range) => (
    <label className="setting">
      {label}
      <input
        type="number"
        inputMode="decimal"
        min={range.min}
        max={range.max}
        step={range.step ?? 1}
        placeholder={range.usual}
        value={wish[name] ?? ''}
        onChange={({ target }) => {
          const value = target.valueAsNumber;
          set({ [name]: Number.isNaN(value) ? undefined : Math.min(range.max, Math.max(range.min, value)) });
        }}
      />
    </label>
  );
  const usual = models.find(({ default_for }) => default_for.includes('loom'))?.name ?? '';
  return (
    <section className="loom-settings">
      <label className="setting">
        Model
        <select value={wish.model ?? ''} onChange={({ target }) => set({ model: target.value || undefined })}>
          <option value="">{settings.model ?? usual}</option>
          {models
            .filter(({ name }) => name !== (settings.model ?? usual))
            .map(({ name, capabilities }) => (
              <option key={name} value={name}>
                {name}
                {capabilities?.label === 'small' && name !== 'small' ? ' (small)' : ''}
              </option>
            ))}
        </select>
      </label>
      {field('n', 'Ways at once', { min: 1, max: 32, usual: String(settings.n ?? 3) })}
      {field('max_tokens', 'Tokens each', { min: 1, max: 8192, usual: String(settings.max_tokens ?? 50) })}
      {field('temperature', 'Temperature', {
        min: 0,
        max: 5,
        step: 0.1,
        usual: String(settings.temperature ?? 'usual'),
      })}
      {field('seed', 'Seed', { min: 0, max: 2 ** 47, usual: 'by chance' })}
      <h2>This loom</h2>
      <p className="exports">
        <ToSaidBeside id={loom.id} />
      </p>
      <h2>Files</h2>
      <p className="exports">
        {EXPORTS.map(({ format, is }) => (
          <button key={format} type="button" className="act" onClick={() => void takeOut(loom, format)}>
            {is}
          </button>
        ))}
      </p>
      <label className="act">
        Bring in a loom or a text
        <input
          type="file"
          multiple
          className="unseen"
          onChange={({ target }) => void bringInto(loom, [...(target.files ?? [])])}
        />
      </label>
      <p className="soft">Or drop files anywhere on the text.</p>
      <Keys loom={loom} />
    </section>
  );
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly usual: string;
}

function Keys({ loom }: { readonly loom: Loom }) {
  const choice = useStore(loom.keys);
  const bindings = bindingsOf(choice);

  function bind(name: ActionName, event: KeyboardEvent): void {
    if (event.key === 'Tab') return;
    event.preventDefault();
    const binding = bindingFor(event);
    if (!binding) return;
    const taken = (Object.keys(DOES) as ActionName[]).find((other) => other !== name && bindings[other] === binding);
    if (taken) loom.desk.notice.set(`${readable(binding)} is taken: it does “${DOES[taken]}”. Change that first.`);
    else loom.keys.set({ ...choice, own: { ...choice.own, [name]: binding } });
  }

  return (
    <>
      <h2>Keys</h2>
      <label className="setting">
        As in
        <select
          value={choice.preset}
          onChange={({ target }) => loom.keys.set({ preset: target.value as PresetName, own: {} })}
        >
          {PRESET_NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <p className="soft">To change one, go into its field and press the keys.</p>
      <p className="soft">A fine line in the text shows where a node begins. Hold Alt to see it better.</p>
      {(Object.keys(DOES) as ActionName[]).map((name) => (
        <label key={name} className="setting">
          {DOES[name]}
          <input
            readOnly
            className="key-field"
            value={readable(bindings[name])}
            onKeyDown={(event) => bind(name, event)}
          />
        </label>
      ))}
    </>
  );
}
