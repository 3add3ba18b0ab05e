import { useStore } from '../../../data/store.ts';
import { TextField } from '../../../ui/controls/field.tsx';
import type { OpenLoom } from '../loom.ts';
import type { GenerationOptions } from '../session/generation-options.ts';
import styles from './settings.module.css';

type FieldName = 'n' | 'max_tokens' | 'temperature' | 'seed';

interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly placeholder: string;
}

/** How many continuations, how long, how bold, and whether they can be repeated. */
export function GenerationFields({ loom }: { readonly loom: OpenLoom }) {
  const options = useStore(loom.generationOptions);
  const { settings } = useStore(loom.replica.loom);
  const setOptions = (change: { [Key in keyof GenerationOptions]?: GenerationOptions[Key] | undefined }) =>
    loom.generationOptions.set((before) => {
      const next = Object.entries({ ...before, ...change }).filter(([, value]) => value !== undefined);
      return Object.fromEntries(next) as GenerationOptions;
    });
  const field = (name: FieldName, label: string, { min, max, step = 1, placeholder }: FieldRange) => (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      min={min}
      max={max}
      step={step}
      placeholder={placeholder}
      value={options[name] ?? ''}
      onChange={({ target: { valueAsNumber: value } }) =>
        setOptions({ [name]: Number.isNaN(value) ? undefined : Math.min(max, Math.max(min, value)) })
      }
    />
  );
  return (
    <div className={styles.pairs}>
      {field('n', 'Continuations', { min: 1, max: 32, placeholder: String(settings.n ?? 3) })}
      {field('max_tokens', 'Tokens each', { min: 1, max: 8192, placeholder: String(settings.max_tokens ?? 50) })}
      {field('temperature', 'Temperature', {
        min: 0,
        max: 5,
        step: 0.1,
        placeholder: String(settings.temperature ?? 'Default'),
      })}
      {field('seed', 'Seed', { min: 0, max: 2 ** 47, placeholder: 'Random' })}
    </div>
  );
}
