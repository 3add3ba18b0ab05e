import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what the mind should mind; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .examples('mind steer "Shorter, and without the metaphor."', 'mind steer -f notes.md')
    .run(async (cli, words: string[], { file }: { file?: string }) => {
      const text = await readContent(words, file);
      await sendAndPrint(cli, 'steer', { text }, 'The mind sees it from its next iteration on.');
    });
