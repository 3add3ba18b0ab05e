import { TurnAccepted } from '../../../core/dialogue/events.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { readTextFile } from '../../input/text.ts';
import { contentOf, printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[n]', 'which draft (default: the latest reply, never a signal)')
    .option('--edit-file <file>', 'accept it as you changed it: the text in this file')
    .examples('mind accept', 'mind accept 3', 'mind accept 3 --edit-file better.txt')
    .run((cli, draft: string | undefined, { editFile }: { editFile?: string }) => accept(cli, draft, editFile));

async function accept(cli: Cli, draft: string | undefined, file: string | undefined): Promise<void> {
  const result = await send(cli, 'accept', {
    ...(draft !== undefined && { draft: parseNumber(draft, 'a draft') }),
    // Editors add the final newline; it is not part of the text.
    ...(file !== undefined && { text: readTextFile(file).replace(/\r?\n$/, '') }),
  });
  const { turn, draft: index, edited } = contentOf(result, TurnAccepted);
  printResult(cli, result, `Turn ${turn} is answered with draft #${index}${edited ? ', as you changed it' : ''}.`);
}
