import type { DeclareCommand } from '../../command.ts';
import { type AttachOptions, addAttachOption, namesOf } from '../../input/attachments.ts';
import { readContent } from '../../input/content.ts';
import { sendWithFiles } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('[text...]', 'what the minds should see; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .examples('logos inject "What would a child ask here?"', 'logos inject -f question.md')
    .footnote('It is shown behind ">>>" until the next audit, and never sampled.')
    .run(async (cli, words: string[], { file, ...files }: { file?: string } & AttachOptions) => {
      const text = await readContent(words, file, namesOf(files));
      await sendWithFiles(cli, 'inject', { text }, files, 'The minds see it until the next audit.');
    });
