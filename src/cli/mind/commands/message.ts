import { TurnOpened } from '../../../core/dialogue/events.ts';
import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { contentOf, sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what to say; without it, what comes on standard input')
    .option('-f, --file <file>', 'say what is in this file')
    .examples('mind message "Shall we plant beans?"', 'mind message -f question.md', 'git diff | mind message')
    .footnote('It waits for an answer until you accept a draft: "mind run" lets the mind think.')
    .run(async (cli, words: string[], { file }: { file?: string }) => {
      const text = await readContent(words, file);
      await sendAndPrint(cli, 'message', { text }, (result) => {
        return `Turn ${contentOf(result, TurnOpened).turn} waits for an answer.`;
      });
      cli.out.note('Let the mind think: mind run');
    });
