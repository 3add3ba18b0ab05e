import { newestTerms } from '../../../core/exchange/state.ts';
import { own } from '../../../core/util/get-own.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { usage } from '../../failure.ts';
import { contentOf } from '../../input/content.ts';
import { answer, contentIn, send } from '../../threads/send.ts';
import { goesOn } from '../follow.ts';
import { TEXT_NAMES, termsIn } from '../input.ts';
import { withExchange } from '../reader.ts';

interface Options {
  readonly file?: string;
  readonly reason?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<what>', 'question, auditor, mind or observer: one of the texts; terms: others, as key=value')
    .argument('[words...]', 'the new text, or key=value')
    .option('-f, --file <file>', 'the new text is in this file')
    .option('--reason <text>', 'why; it is shown to the pool')
    .addHelpText(
      'after',
      examples(
        'logos amend question "What is a good garden in winter?"',
        'logos terms auditor > spec.md',
        'logos amend auditor -f spec.md --reason "Shorter audits."',
        'logos amend terms audit_every=10 cluster_feed=on budget.money=2',
      ),
    )
    .addHelpText(
      'after',
      '\nIt is announced to the pool one round before it holds; before round 1 it holds from round 1.\nFor an audit that is due or failing, a new auditor text or auditor_model holds at once.',
    )
    .action((what: string, words: string[], options: Options) => amend(start(), what, words, options));

async function amend(cli: Cli, what: string, words: readonly string[], { file, reason }: Options): Promise<void> {
  const set = what === 'terms' ? await pairs(cli, words) : { [nameOf(what)]: await contentOf(words, file) };
  const done = await send(cli, 'amend', { set, ...(reason !== undefined && { reason }) });
  const { version, announced, effective } = contentIn(done);
  const holds = `it holds from round ${effective} on`;
  const when = announced === effective ? holds : `announced in round ${announced}, ${holds}`;
  answer(cli, done, `Version ${version} of the terms: ${when}.`);
  if (goesOn(done)) cli.out.note('The rounds go on. See them: logos run');
}

function nameOf(what: string): string {
  const name = own(TEXT_NAMES, what);
  if (name) return name;
  throw usage(`"${what}" is none of ${Object.keys(TEXT_NAMES).join(', ')}, terms.`);
}

async function pairs(cli: Cli, words: readonly string[]): Promise<Record<string, unknown>> {
  const set = await withExchange(cli, ({ exchange }) => termsIn(words, newestTerms(exchange).terms));
  if (!set) throw usage('What should change? Say it as key=value. "logos terms" shows the keys.');
  return set;
}
