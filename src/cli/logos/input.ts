import { TEXTS, type Terms, type TextName } from '../../core/exchange/terms/terms.ts';
import { usage } from '../failure.ts';
import { pairsIn } from '../input/pairs.ts';

/** Why something is done: behind the command, or with --reason. */
export function reasonIn(words: readonly string[], option: string | undefined): string {
  const reason = (option ?? words.join(' ')).trim();
  if (reason === '') throw usage('Say why: it is written down and shown to the pool. --reason "…"');
  return reason;
}

/** How the texts are called on a command line. */
export const TEXT_NAMES: Readonly<Record<string, TextName | 'question'>> = {
  question: 'question',
  auditor: 'auditor_spec',
  mind: 'mind_prompt',
  observer: 'observer_role',
};

/** Terms as they are written on a command line; undefined for none. */
export function termsIn(pairs: readonly string[], before: Terms): Record<string, unknown> | undefined {
  if (pairs.length === 0) return undefined;
  const texts = ['question', ...TEXTS, 'auditor_model', 'policy', 'ask_after_audit'];
  return pairsIn(pairs, { keys: 'logos terms', texts, switches: ['parallel', 'cluster_feed'], before });
}

/** A round, or 0 for the beginning. */
export function roundIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not the number of a round, or 0 for the beginning.`);
}
