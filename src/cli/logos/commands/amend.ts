import { TermsSet } from '../../../core/exchange/events.ts';
import { getOwn } from '../../../core/util/get-own.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { usageError } from '../../failure.ts';
import { readContent } from '../../input/content.ts';
import { contentOf, send } from '../../threads/send.ts';
import { hasStartedRounds } from '../follow.ts';
import { parseTerms, readNewestTerms, TEXT_NAMES } from '../input.ts';

interface LogosAmendOptions {
  readonly file?: string;
  readonly reason?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<what>', 'question, auditor, mind or observer for one of the texts; terms for settings, as key=value')
    .argument('[words...]', 'the new text, or key=value')
    .option('-f, --file <file>', 'read the new text from this file')
    .option('--reason <text>', 'why; it is shown to the pool')
    .examples(
      'logos amend question "What is a good garden in winter?"',
      'logos terms auditor > spec.md',
      'logos amend auditor -f spec.md --reason "Shorter audits."',
      'logos amend terms audit_every=10 cluster_feed=on budget.money=2',
    )
    .footnote(
      'A change is announced to the pool one round before it takes effect; a change before round 1 applies from round 1.\nFor an audit that is due or failing, a new auditor text or auditor_model applies at once.',
    )
    .run(amend);

async function amend(
  cli: Cli,
  what: string,
  words: readonly string[],
  { file, reason }: LogosAmendOptions,
): Promise<void> {
  const set =
    what === 'terms' ? await parseTermPairs(cli, words) : { [textNameOf(what)]: await readContent(words, file) };
  const result = await send(cli, 'amend', { set, reason });
  const { version, announced, effective } = contentOf(result, TermsSet);
  const effectivePhrase = `it applies from round ${effective}`;
  const when = announced === effective ? effectivePhrase : `announced in round ${announced}, ${effectivePhrase}`;
  cli.out.answer(result, `Version ${version} of the terms: ${when}.`);
  if (hasStartedRounds(result)) cli.out.note('The rounds continue. Follow them: logos run');
}

function textNameOf(what: string): string {
  const name = getOwn(TEXT_NAMES, what);
  if (name) return name;
  throw usageError(`"${what}" is none of ${Object.keys(TEXT_NAMES).join(', ')}, terms.`);
}

async function parseTermPairs(cli: Cli, words: readonly string[]): Promise<Record<string, unknown>> {
  const set = parseTerms(words, await readNewestTerms(cli));
  if (!set) throw usageError('Give the changes as key=value. "logos terms" shows the keys.');
  return set;
}
