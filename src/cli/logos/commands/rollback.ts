import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { send, switchToResult } from '../../threads/send.ts';
import { parseRound, parseTerms, readNewestTerms } from '../input.ts';

interface LogosRollbackOptions {
  readonly title?: string;
  readonly reason?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<round>', 'the round to go back to; 0 is the beginning')
    .argument('[terms...]', 'key=value: terms of its own')
    .option('--title <text>', 'what the branch is called')
    .option('--reason <text>', 'why')
    .examples('logos rollback 12', 'logos rollback 0 audit_every=5 --reason "Once more."')
    .footnote('Nothing is lost: it begins a branch, which becomes the current exchange.')
    .run(rollback);

async function rollback(
  cli: Cli,
  text: string,
  pairs: readonly string[],
  { title, reason }: LogosRollbackOptions,
): Promise<void> {
  const round = parseRound(text);
  const set = parseTerms(pairs, await readNewestTerms(cli));
  const result = await send(cli, 'rollback', {
    round,
    ...(title !== undefined && { title }),
    ...(reason !== undefined && { reason }),
    ...(set && { set }),
  });
  switchToResult(cli, result);
}
