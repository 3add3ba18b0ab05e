import { TurnAccepted } from '../../../core/dialogue/events.ts';
import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { readTextFile } from '../../input/text.ts';
import { contentOf, sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[n]', 'which draft (default: the latest reply, never a signal)')
    .option('--edit-file <file>', 'accept your edited version, from this file')
    .examples('mind accept', 'mind accept 3', 'mind accept 3 --edit-file better.txt')
    .run((cli, number: string | undefined, { editFile }: { editFile?: string }) => {
      const draft = number === undefined ? undefined : parseNumber(number, 'a draft');
      // Editors add the final newline; it is not part of the text.
      const text = editFile === undefined ? undefined : readTextFile(editFile).replace(/\r?\n$/, '');
      return sendAndPrint(cli, 'accept', { draft, text }, (result) => {
        const { turn, draft: index, edited } = contentOf(result, TurnAccepted);
        return `Turn ${turn} is answered with draft #${index}${edited ? ', with your edits' : ''}.`;
      });
    });
