import { HeddleRefusal, type ThreadClient } from '../../../client/index.ts';
import { RoundsStarted } from '../../../core/exchange/events.ts';
import { currentTerms } from '../../../core/exchange/state.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseDigits, parseNumber } from '../../input/numbers.ts';
import { addBudgetOptions, type BudgetOptions, parseBudget } from '../../run/options.ts';
import { findContent, type ThreadCommandResult } from '../../threads/send.ts';
import { type ExchangeReader, type FollowTarget, followAndConclude } from '../follow.ts';

interface LogosRunOptions extends BudgetOptions {
  readonly seed?: string;
}

export const declare: DeclareCommand = (command) =>
  addBudgetOptions(command)
    .argument('[n]', 'stop after this many rounds (default: continue a paused run, or run to the next audit)')
    .option('--seed <s>', 'the seed for all samples (default: random)')
    .examples('logos run 40', 'logos run 10 --money 0.5', 'logos run', 'logos run 3 --json')
    .footnote(
      'It pauses when the pool asks for a restart, an audit waits for your answer, or its budget is used up; Ctrl-C stops it and nothing is lost.',
    )
    .run(run);

function run(cli: Cli, roundsText: string | undefined, { seed, ...budget }: LogosRunOptions): Promise<void> {
  const request = {
    ...(roundsText !== undefined && { rounds: parseNumber(roundsText, 'rounds') }),
    ...(seed !== undefined && { seed: parseDigits(seed, `"--seed ${seed}" should be a whole number from 0 on.`) }),
    ...parseBudget(budget),
  };
  return followAndConclude(cli, (thread, reader) => startOrJoin(cli, thread, reader, request));
}

/** Starts rounds, or joins those that someone else started or that a stopped process left unfinished. */
async function startOrJoin(
  { out }: Cli,
  thread: ThreadClient,
  reader: ExchangeReader,
  request: { rounds?: number; budget?: object },
): Promise<FollowTarget> {
  try {
    const isPaused = reader.state.run?.state === 'paused' && request.rounds === undefined;
    if (isPaused) await thread.command('resume_run', request.budget ? { budget: request.budget } : {});
    else noteRunLength(out, request, await thread.command('run', request), reader);
    return {};
  } catch (error) {
    await reader.refresh();
    const activeRun = reader.state.run;
    if (!(error instanceof HeddleRefusal && error.code === 'already_running' && activeRun)) throw error;
    out.note(`The minds are already thinking: joining run ${activeRun.run}.`);
    return { maxRounds: request.rounds };
  }
}

/** A run without a number of rounds ends at the next audit. Says so before the run costs anything. */
function noteRunLength(
  out: Cli['out'],
  request: { rounds?: number; budget?: object },
  result: ThreadCommandResult,
  reader: ExchangeReader,
): void {
  if (request.rounds !== undefined || request.budget !== undefined) return;
  const rounds = findContent(result, RoundsStarted)?.rounds ?? 0;
  const minds = currentTerms(reader.state).terms.minds.length;
  const calls = pluralize(rounds * minds, 'call');
  out.note(`Running to the next audit: ${pluralize(rounds, 'round')}, ${calls} of minds and 1 of the auditor.`);
}
