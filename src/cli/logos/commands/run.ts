import type { Client } from '../../../client/index.ts';
import { HeddleRefusal } from '../../../client/refusal.ts';
import { termsNow } from '../../../core/exchange/state.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { usage } from '../../failure.ts';
import { counted, numberIn } from '../../output/numbers.ts';
import { type BudgetOptions, budgetIn, withBudget } from '../../run/options.ts';
import type { Done } from '../../threads/send.ts';
import { type Begun, conclude, follow } from '../follow.ts';
import type { Reading } from '../reader.ts';

interface Options extends BudgetOptions {
  readonly seed?: string;
}

export const declare: Declare = (command, start) =>
  withBudget(command)
    .argument('[n]', 'end after this many rounds (default: go on with what is paused, or run to the next audit)')
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
    else tellHowFar(out, wish, await thread.command('run_rounds', wish), reading);
    return {};
  } catch (error) {
    await reading.refresh();
    const running = reading.exchange.run;
    if (!(error instanceof HeddleRefusal && error.code === 'already_running' && running)) throw error;
    out.note(`The minds are thinking already: going on with run ${running.run}.`);
    return { most: wish.rounds };
  }
}

/** A run that was given no number ends with the next audit, and says so before it costs anything. */
function tellHowFar(out: Cli['out'], wish: { rounds?: number; budget?: object }, done: Done, reading: Reading): void {
  if (wish.rounds !== undefined || wish.budget !== undefined) return;
  const started = done.events.find(({ type }) => type === 'rounds.started');
  const { rounds = 0 } = (started?.content ?? {}) as { readonly rounds?: number };
  const minds = termsNow(reading.exchange).terms.minds.length;
  const calls = counted(rounds * minds, 'call');
  out.note(`Running to the next audit: ${counted(rounds, 'round')}, ${calls} of minds and 1 of the auditor.`);
}

function seedIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"--seed ${text}" should be a whole number from 0 on.`);
}
