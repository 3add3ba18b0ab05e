import type { Terms } from '../queries.ts';
import { BUDGET_WORDS, RESTART_WORDS, TERM_WORDS, TEXTS } from './labels.ts';

export type Changes = Partial<Terms>;
export type Draft = { readonly set: Changes } | { readonly problem: string };

export const NUMBERS = ['audit_every', 'active_pool_size', 'thought_display_count', 'thought_display_chars'] as const;
const BUDGET = Object.keys(BUDGET_WORDS) as (keyof Terms['budget'])[];
const RESTART = Object.keys(RESTART_WORDS) as (keyof Terms['restart'])[];

/** What a filled-in form would change about the terms; a number that is none is told by the name of its field. */
export function draftOf(form: FormData, before: Terms): Draft {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const wrong: string[] = [];
  const number = (name: string, called: string): number => {
    const value = Number(text(name));
    if (text(name) === '' || Number.isNaN(value)) wrong.push(`“${text(name)}” is no number: give one for “${called}”.`);
    return value;
  };
  const [ids, models] = [form.getAll('mind.id').map(String), form.getAll('mind.model').map(String)];
  const budget = BUDGET.flatMap((unit) =>
    text(`budget.${unit}`) === '' ? [] : [[unit, number(`budget.${unit}`, BUDGET_WORDS[unit])]],
  );
  const next: Terms = {
    minds: ids
      .map((id, i) => ({ id: id.trim(), model: models[i]?.trim() || null }))
      .filter(({ id, model }) => id !== '' || model !== null),
    parallel: form.get('parallel') === 'on',
    cluster_feed: form.get('cluster_feed') === 'on',
    auditor_model: text('auditor_model') || null,
    policy: text('policy') as Terms['policy'],
    ask_after_audit: text('ask_after_audit') as Terms['ask_after_audit'],
    restart: Object.fromEntries(
      RESTART.map((name) => [name, number(`restart.${name}`, RESTART_WORDS[name])]),
    ) as Terms['restart'],
    budget: Object.fromEntries(budget) as Terms['budget'],
    temperature: text('temperature') === '' ? null : number('temperature', TERM_WORDS.temperature),
    ...(Object.fromEntries(NUMBERS.map((name) => [name, number(name, TERM_WORDS[name])])) as Pick<
      Terms,
      (typeof NUMBERS)[number]
    >),
    // A browser sends line ends of its own; only other words are another text.
    ...(Object.fromEntries(
      TEXTS.map((name) => [name, sameBut(String(form.get(name) ?? '').replaceAll('\r\n', '\n'), before[name])]),
    ) as Pick<Terms, (typeof TEXTS)[number]>),
  };
  const [problem] = wrong;
  return problem === undefined ? { set: changesIn(before, next) } : { problem };
}

export function changesIn(before: Terms, next: Terms): Changes {
  const names = (Object.keys(next) as (keyof Terms)[]).filter((name) => plain(next[name]) !== plain(before[name]));
  return Object.fromEntries(names.map((name) => [name, next[name]])) as Changes;
}

function sameBut(text: string, before: string): string {
  return text.trimEnd() === before.trimEnd() ? before : text;
}

/** As text, whatever order the keys came in. */
function plain(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plain).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const all = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${all
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, each]) => `${name}:${plain(each)}`)
    .join()}}`;
}
