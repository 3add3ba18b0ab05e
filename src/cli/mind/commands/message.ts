import { TurnOpened } from '../../../core/dialogue/events.ts';
import type { DeclareCommand } from '../../command.ts';
import { type AttachOptions, addAttachOption, namesOf } from '../../input/attachments.ts';
import { readContent } from '../../input/content.ts';
import { contentOf, sendWithFiles } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('[text...]', 'the text (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from this file')
    .examples('mind message "Shall we plant beans?"', 'mind message -f question.md', 'git diff | mind message')
    .footnote('The message waits until you accept a draft: "mind run" lets the mind think.')
    .run(async (cli, words: string[], { file, ...files }: { file?: string } & AttachOptions) => {
      const text = await readContent(words, file, namesOf(files));
      await sendWithFiles(cli, 'message', { text }, files, (result) => {
        return `Turn ${contentOf(result, TurnOpened).turn} waits for an answer.`;
      });
      cli.out.note('Let the mind think: mind run');
    });
