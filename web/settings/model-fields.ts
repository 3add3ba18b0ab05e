import type { WireModel, WireModelEntry } from '../../src/client/index.ts';

export const USES = ['mind', 'auditor', 'loom'] as const;
export type ModelUse = (typeof USES)[number];

/** What people call each use. */
export const USE_LABELS: Readonly<Record<ModelUse, string>> = { mind: 'Dialogues', auditor: 'Audits', loom: 'Looms' };

/** The label of each field, by its name in heddle.yaml. */
export const LABELS = {
  provider: 'Provider',
  base_url: 'Address',
  model: 'Model ID',
  name: 'Display name',
  key: 'API key',
  path: 'Script file',
  api_key_env: 'Environment variable with the key',
  context: 'Context length',
  'price.input': 'Input price',
  'price.output': 'Output price',
} as const;

/** A refusal names a field as heddle.yaml does; this puts the field's label in its place. */
export function withFieldLabels(refusal: string): string {
  return Object.entries(LABELS).reduce((text, [field, label]) => text.replaceAll(`"${field}"`, `“${label}”`), refusal);
}

/** The fields that were filled in. An invalid number is sent unchanged: the server reports it. */
export function readModelFields(form: FormData): WireModelEntry {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const [inputPrice, outputPrice] = [text('price.input'), text('price.output')];
  const price = {
    ...(inputPrice !== '' && { input: parseNumber(inputPrice) }),
    ...(outputPrice !== '' && { output: parseNumber(outputPrice) }),
  };
  return {
    provider: text('provider'),
    ...(text('base_url') && { base_url: text('base_url') }),
    ...(text('model') && { model: text('model') }),
    ...(text('path') && { path: text('path') }),
    ...(text('api_key_env') && { api_key_env: text('api_key_env') }),
    ...(text('context') && { context: parseNumber(text('context')) }),
    ...(Object.keys(price).length > 0 && { price }),
  };
}

export function readUses(form: FormData): ModelUse[] {
  return USES.filter((use) => form.getAll('for').includes(use));
}

/** Only the fields that changed: edits made to the file meanwhile are kept. */
export function changedFields(form: FormData, existing: WireModel): Record<string, unknown> {
  const current = readModelFields(form);
  const { provider, base_url, model, api_key_env, price, capabilities } = existing;
  const previous: Record<string, unknown> = {
    provider,
    base_url,
    model,
    api_key_env,
    price,
    context: capabilities?.context,
  };
  return Object.fromEntries(
    Object.entries(previous)
      .filter(([field, value]) => JSON.stringify(current[field]) !== JSON.stringify(value))
      .map(([field]) => [field, current[field] ?? null]),
  );
}

function parseNumber(text: string): number | string {
  const number = Number(text.replaceAll(/[\s_']/g, ''));
  return Number.isFinite(number) ? number : text;
}
