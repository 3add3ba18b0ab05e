import type { DeclareCommand } from '../../command.ts';
import { type AttachOptions, addAttachOption, namesOf } from '../../input/attachments.ts';
import { readContent } from '../../input/content.ts';
import { sendWithFiles } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('[text...]', 'the text for the minds (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from this file')
    .examples('logos inject "What would a child ask here?"', 'logos inject -f question.md')
    .footnote('The minds see it marked ">>>" until the next audit; it is never sampled as a thought.')
    .run(async (cli, words: string[], { file, ...files }: { file?: string } & AttachOptions) => {
      const text = await readContent(words, file, namesOf(files));
      await sendWithFiles(cli, 'inject', { text }, files, 'The minds see it until the next audit.');
    });
