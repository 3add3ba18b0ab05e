import { newestTerms } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { usage } from '../../failure.ts';
import { makeCurrent } from '../../threads/current.ts';
import { answer, type Done } from '../../threads/send.ts';
import { conclude, follow, forkIn, goesOn } from '../follow.ts';
import { reasonIn, roundIn, termsIn } from '../input.ts';

const DECISIONS = ['branch', 'rollback', 'amend', 'acknowledge', 'halt'] as const;

interface Options {
  readonly reason?: string;
  readonly round?: string;
  readonly title?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<decision>', DECISIONS.join(', '))
    .argument('[terms...]', 'key=value, of the branch or as amended; mind_prompt=@FILE for a text from a file')
    .option('--reason <text>', 'why; it is shown to the pool')
    .option('--round <r>', 'for rollback: the round to go back to, 0 is the beginning')
    .option('--title <text>', 'what the branch is called')
    .addHelpText(
      'after',
      examples(
        'logos decide branch audit_every=5 mind_prompt=@prompt.md --reason "A fair point."',
        'logos decide rollback --round 12 --reason "Before it went in circles."',
        'logos decide amend auditor_spec=@spec.md --reason "The audit left things out."',
        'logos decide acknowledge --reason "Heard, but go on."',
      ),
    )
    .addHelpText('after', '\nA branch becomes the current exchange. Rounds that were paused go on, and are shown.')
    .action((decision: string, pairs: string[], options: Options) => decide(start(), decision, pairs, options));

async function decide(cli: Cli, word: string, pairs: readonly string[], options: Options): Promise<void> {
  const decision = DECISIONS.find((each) => each === word);
  if (!decision) throw usage(`"${word}" is none of ${DECISIONS.join(', ')}.`);
  const { round, title } = options;
  const wish = {
    decision,
    reason: reasonIn([], options.reason),
    ...(round !== undefined && { round: roundIn(round) }),
    ...(title !== undefined && { title }),
  };
  let done: Done | undefined;
  const reading = await follow(cli, {
    begin: async (thread, { exchange }) => {
      const set = termsIn(pairs, newestTerms(exchange).terms);
      done = await thread.command('decide', { ...wish, ...(set && { set }) });
      const fork = forkIn(done);
      if (fork) makeCurrent(cli, fork);
      answer(cli, done, DECIDED[decision]);
      return goesOn(done) || fork ? { thread: fork } : undefined;
    },
  });
  if (done && (goesOn(done) || forkIn(done))) conclude(cli, reading);
}

const DECIDED = {
  branch: 'It goes on in a branch, the current exchange now.',
  rollback: 'It goes on from that round in a branch, the current exchange now.',
  amend: 'The terms change; the pool is told a round before.',
  acknowledge: 'The pool is told that you heard it.',
  halt: 'The exchange has ended.',
} as const;
