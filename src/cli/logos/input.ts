import type { Terms } from '../../core/exchange/terms/terms.ts';
import { TEXT_TERMS, type TextTermName } from '../../core/exchange/terms/terms-text.ts';
import type { Cli } from '../cli.ts';
import { usageError } from '../failure.ts';
import { parseDigits } from '../input/numbers.ts';
import { parsePairs } from '../input/pairs.ts';
import { withCurrentThread } from '../threads/reader.ts';

/** The reason for an action, given as words after the command or with --reason. */
export function requireReason(words: readonly string[], option: string | undefined): string {
  const reason = (option ?? words.join(' ')).trim();
  if (reason === '') throw usageError('Give a reason, which is recorded and shown to the pool: --reason "…"');
  return reason;
}

/** The command-line names of the text terms. */
export const TEXT_NAMES: Readonly<Record<string, TextTermName | 'question'>> = {
  question: 'question',
  auditor: 'auditor_spec',
  mind: 'mind_prompt',
  observer: 'observer_role',
};

/** The newest terms, in effect or not: an amendment changes these. */
export function readNewestTerms(cli: Cli): Promise<Terms> {
  return withCurrentThread(cli, async ({ exchange }) => {
    const { now, versions } = await exchange.terms();
    return (versions[0] ?? now).terms;
  });
}

/** Parses terms from a command line; undefined if there are none. */
export function parseTerms(pairs: readonly string[], currentTerms: Terms): Record<string, unknown> | undefined {
  if (pairs.length === 0) return undefined;
  const texts = ['question', ...TEXT_TERMS, 'auditor_model', 'policy', 'ask_after_audit'];
  return parsePairs(pairs, {
    keys: 'logos terms',
    texts,
    switches: ['parallel', 'cluster_feed'],
    before: currentTerms,
  });
}

/** Parses a round number; 0 is the beginning. */
export function parseRound(text: string): number {
  return parseDigits(text, `"${text}" is not the number of a round, or 0 for the beginning.`);
}
