import type { TermValues } from '../../../../src/client/index.ts';
import { BUDGET_LABELS, RESTART_LABELS, TERM_LABELS, TEXT_FIELDS } from './labels.ts';

export type TermsEdits = Partial<TermValues>;
export type TermsDraft = { readonly set: TermsEdits } | { readonly problem: string };

const NUMBER_FIELDS = ['audit_every', 'active_pool_size', 'thought_display_count', 'thought_display_chars'] as const;
const BUDGET_UNITS = Object.keys(BUDGET_LABELS) as (keyof TermValues['budget'])[];
const RESTART_FIELDS = Object.keys(RESTART_LABELS) as (keyof TermValues['restart'])[];

/** Reads the changes to the terms from a form; reports an invalid number by the name of its field. */
export function readTermsForm(form: FormData, before: TermValues): TermsDraft {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const problems: string[] = [];
  const number = (name: string, label: string): number => {
    const value = Number(text(name));
    if (text(name) === '' || Number.isNaN(value))
      problems.push(`“${text(name)}” is not a number. Enter one for “${label}”.`);
    return value;
  };
  const [ids, models] = [form.getAll('mind.id').map(String), form.getAll('mind.model').map(String)];
  const budget = BUDGET_UNITS.flatMap((unit) =>
    text(`budget.${unit}`) === '' ? [] : [[unit, number(`budget.${unit}`, BUDGET_LABELS[unit])]],
  );
  const next: TermValues = {
    minds: ids
      .map((id, i) => ({ id: id.trim(), model: models[i]?.trim() || null }))
      .filter(({ id, model }) => id !== '' || model !== null),
    parallel: form.get('parallel') === 'on',
    cluster_feed: form.get('cluster_feed') === 'on',
    auditor_model: text('auditor_model') || null,
    policy: text('policy') as TermValues['policy'],
    ask_after_audit: text('ask_after_audit') as TermValues['ask_after_audit'],
    restart: Object.fromEntries(
      RESTART_FIELDS.map((name) => [name, number(`restart.${name}`, RESTART_LABELS[name])]),
    ) as TermValues['restart'],
    budget: Object.fromEntries(budget) as TermValues['budget'],
    temperature: text('temperature') === '' ? null : number('temperature', TERM_LABELS.temperature),
    ...(Object.fromEntries(NUMBER_FIELDS.map((name) => [name, number(name, TERM_LABELS[name])])) as Pick<
      TermValues,
      (typeof NUMBER_FIELDS)[number]
    >),
    // Browsers normalize line ends, which must not count as a change.
    ...(Object.fromEntries(
      TEXT_FIELDS.map((name) => [
        name,
        keepIfEqual(String(form.get(name) ?? '').replaceAll('\r\n', '\n'), before[name]),
      ]),
    ) as Pick<TermValues, (typeof TEXT_FIELDS)[number]>),
  };
  const [problem] = problems;
  return problem === undefined ? { set: changedTerms(before, next) } : { problem };
}

export function changedTerms(before: TermValues, next: TermValues): TermsEdits {
  const names = (Object.keys(next) as (keyof TermValues)[]).filter(
    (name) => stableText(next[name]) !== stableText(before[name]),
  );
  return Object.fromEntries(names.map((name) => [name, next[name]])) as TermsEdits;
}

function keepIfEqual(text: string, before: string): string {
  return text.trimEnd() === before.trimEnd() ? before : text;
}

/** Serializes a value independently of the order of its keys. */
function stableText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${name}:${stableText(each)}`)
    .join()}}`;
}
