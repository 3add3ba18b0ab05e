import type { DialogueConfig } from '../../../src/core/dialogue/config.ts';

type NumberSetting = Exclude<keyof DialogueConfig, 'model' | 'budget' | 'prompt' | 'self'>;

interface SettingField {
  readonly name: NumberSetting;
  readonly label: string;
  readonly placeholder?: string;
}

export const CONTEXT_FIELDS: readonly SettingField[] = [
  { name: 'history_pairs', label: 'Earlier turns shown' },
  { name: 'draft_display_count', label: 'Drafts shown to the mind, at most' },
  { name: 'draft_display_chars', label: 'Characters of drafts, at most' },
  { name: 'thought_display_count', label: 'Thoughts shown at once, at most' },
  { name: 'thought_display_chars', label: 'Characters of thoughts, at most' },
  { name: 'thought_recent_count', label: 'Newest thoughts shown in order' },
  { name: 'thought_recall_count', label: 'Older thoughts recalled' },
  { name: 'active_pool_size', label: 'Thoughts that stay active' },
];
export const WRITING_FIELDS: readonly SettingField[] = [
  { name: 'temperature', label: 'Temperature', placeholder: 'Model default' },
  { name: 'auto_accept', label: 'Auto-accept after N quiet iterations', placeholder: 'Never' },
];
export const BUDGET_FIELDS = [
  { name: 'iterations', label: 'Iterations' },
  { name: 'tokens', label: 'Tokens' },
  { name: 'money', label: 'Money' },
  { name: 'seconds', label: 'Seconds' },
] as const;

const NUMBER_FIELDS = [
  ...[...CONTEXT_FIELDS, ...WRITING_FIELDS].map(({ name, label }) => ({ field: name as string, label })),
  ...BUDGET_FIELDS.map(({ name, label }) => ({ field: `budget.${name}`, label })),
];

/** The first field whose text is no number. */
export function findInvalidNumber(form: FormData): { readonly field: string; readonly label: string } | undefined {
  return NUMBER_FIELDS.find(({ field }) => Number.isNaN(Number(form.get(field) ?? '')));
}

/** A refusal uses the setting's name in the log; this replaces it with the field's label. */
export function labelRefusal(refusal: string): string {
  return NUMBER_FIELDS.reduce((text, { field, label }) => text.replaceAll(`"${field}"`, `“${label}”`), refusal);
}

/** What differs from the saved settings. */
export function changedSettings(
  form: FormData,
  model: string | null,
  savedConfig: DialogueConfig,
): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const number = (name: string) => (text(name) === '' ? null : Number(text(name)));
  const budget = Object.fromEntries(
    BUDGET_FIELDS.map(({ name }) => [name, number(`budget.${name}`)] as const).filter(([, value]) => value !== null),
  );
  const values: Record<string, unknown> = {
    model,
    prompt: text('prompt') || null,
    budget,
    ...Object.fromEntries([...CONTEXT_FIELDS, ...WRITING_FIELDS].map(({ name }) => [name, number(name)])),
  };
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(savedConfig[name as keyof DialogueConfig]),
    ),
  );
}
