import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { send, switchToResult } from '../../threads/send.ts';

interface MindReopenOptions {
  readonly draft: string;
  readonly title?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<turn>', 'the number of a turn that is over')
    .requiredOption('--draft <n>', 'which of its drafts should have been the answer')
    .option('--title <title>', 'the title of the fork')
    .examples('mind history', 'mind drafts --turn 2', 'mind reopen 2 --draft 5')
    .footnote('History is never rewritten: this begins a fork and makes it the current dialogue.')
    .run(reopen);

async function reopen(cli: Cli, turn: string, { draft, title }: MindReopenOptions): Promise<void> {
  const result = await send(cli, 'reopen', {
    turn: parseNumber(turn, 'a turn'),
    draft: parseNumber(draft, 'a draft'),
    ...(title && { title }),
  });
  switchToResult(cli, result);
}
