import type { Client } from '../../../client/index.ts';
import { HeddleRefusal } from '../../../client/refusal.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../declare.ts';
import { usage } from '../../failure.ts';
import { numberIn } from '../../numbers.ts';
import { type BudgetOptions, budgetIn, withBudget } from '../../run-options.ts';
import { type Begun, conclude, follow } from '../follow.ts';
import type { Reading } from '../reading.ts';

interface Options extends BudgetOptions {
  readonly seed?: string;
}

export const declare: Declare = (command, start) =>
  withBudget(command)
    .argument('[n]', 'end after so many rounds; without it, what is paused goes on')
    .option('--seed <s>', 'what all samples follow from (default: drawn)')
    .addHelpText('after', examples('logos run 40', 'logos run 10 --money 0.5', 'logos run', 'logos run 3 --json'))
    .addHelpText(
      'after',
      '\nIt pauses when the pool asks for a restart, an audit waits for your answer, or its budget is used up; Ctrl-C stops it and nothing is lost.',
    )
    .action((rounds: string | undefined, options: Options) => run(start(), rounds, options));

async function run(cli: Cli, text: string | undefined, { seed, ...budget }: Options): Promise<void> {
  const wish = {
    ...(text !== undefined && { rounds: numberIn(text, 'rounds') }),
    ...(seed !== undefined && { seed: seedIn(seed) }),
    ...budgetIn(budget),
  };
  conclude(cli, await follow(cli, { begin: (thread, reading) => beginOrJoin(cli, thread, reading, wish) }));
}

/** Rounds that someone else began, or that a stopped process left behind, are gone on with. */
async function beginOrJoin(
  { out }: Cli,
  thread: ReturnType<Client['thread']>,
  reading: Reading,
  wish: { rounds?: number; budget?: object },
): Promise<Begun> {
  try {
    const paused = reading.exchange.run?.state === 'paused' && wish.rounds === undefined;
    if (paused) await thread.command('resume_rounds', wish.budget ? { budget: wish.budget } : {});
    else await thread.command('run_rounds', wish);
    return {};
  } catch (error) {
    await reading.refresh();
    const running = reading.exchange.run;
    if (!(error instanceof HeddleRefusal && error.code === 'already_running' && running)) throw error;
    out.note(`The minds are thinking already: going on with run ${running.run}.`);
    return { most: wish.rounds };
  }
}

function seedIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"--seed ${text}" should be a whole number from 0 on.`);
}
