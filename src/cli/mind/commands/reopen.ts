import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { send, switchToResult } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<turn>', 'the number of a finished turn')
    .requiredOption('--draft <n>', 'the draft to accept instead')
    .option('--title <title>', 'the title of the fork')
    .examples('mind history', 'mind drafts --turn 2', 'mind reopen 2 --draft 5')
    .footnote('History is never rewritten: this creates a fork and makes it the current dialogue.')
    .run(async (cli, turnText: string, options: { draft: string; title?: string }) => {
      const turn = parseNumber(turnText, 'a turn');
      const draft = parseNumber(options.draft, 'a draft');
      switchToResult(cli, await send(cli, 'reopen', { turn, draft, title: options.title || undefined }));
    });
