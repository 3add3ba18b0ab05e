import type { DeclareCommand } from '../../command.ts';
import { type AttachOptions, addAttachOption, namesOf } from '../../input/attachments.ts';
import { readContent } from '../../input/content.ts';
import { sendWithFiles } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('[text...]', 'the note (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from this file')
    .examples('mind steer "Shorter, and without the metaphor."', 'mind steer -f notes.md')
    .run(async (cli, words: string[], { file, ...files }: { file?: string } & AttachOptions) => {
      const text = await readContent(words, file, namesOf(files));
      await sendWithFiles(cli, 'steer', { text }, files, 'The mind sees it from its next iteration on.');
    });
