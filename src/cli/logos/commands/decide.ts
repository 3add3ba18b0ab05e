import { newestTerms } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseChoice } from '../../input/choice.ts';
import { setCurrentThread } from '../../threads/current.ts';
import { followAndConclude, startedBy } from '../follow.ts';
import { parseRound, parseTerms, requireReason } from '../input.ts';

const DECISIONS = ['branch', 'rollback', 'amend', 'acknowledge', 'halt'] as const;

interface LogosDecideOptions {
  readonly reason?: string;
  readonly round?: string;
  readonly title?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<decision>', DECISIONS.join(', '))
    .argument(
      '[terms...]',
      'key=value: terms of the branch or the amendment; mind_prompt=@FILE reads a text from a file',
    )
    .option('--reason <text>', 'why; it is shown to the pool')
    .option('--round <r>', 'for rollback: the round to go back to, 0 is the beginning')
    .option('--title <text>', 'the title of the branch')
    .examples(
      'logos decide branch audit_every=5 mind_prompt=@prompt.md --reason "A fair point."',
      'logos decide rollback --round 12 --reason "Before it went in circles."',
      'logos decide amend auditor_spec=@spec.md --reason "The audit left things out."',
      'logos decide acknowledge --reason "Heard, but go on."',
    )
    .footnote('A branch becomes the current exchange. Paused rounds continue, and are shown.')
    .run(decide);

async function decide(cli: Cli, word: string, pairs: readonly string[], options: LogosDecideOptions): Promise<void> {
  const decision = parseChoice(word, DECISIONS);
  const reason = requireReason([], options.reason);
  const round = options.round === undefined ? undefined : parseRound(options.round);
  await followAndConclude(cli, async (thread, { state: exchange }) => {
    const set = parseTerms(pairs, newestTerms(exchange).terms);
    const result = await thread.command('decide', { decision, reason, round, title: options.title, set });
    const target = startedBy(result);
    if (target?.thread) setCurrentThread(cli, target.thread);
    cli.out.answer(result, CONFIRMATIONS[decision]);
    return target;
  });
}

const CONFIRMATIONS = {
  branch: 'The exchange continues in a branch, which is now the current exchange.',
  rollback: 'The exchange continues from that round in a branch, which is now the current exchange.',
  amend: 'The terms change; the minds learn of it one round earlier.',
  acknowledge: 'The minds see that you acknowledged it.',
  halt: 'The exchange has ended.',
} as const;
