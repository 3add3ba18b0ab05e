import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what the minds should see; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .examples('logos inject "What would a child ask here?"', 'logos inject -f question.md')
    .footnote('It is shown behind ">>>" until the next audit, and never sampled.')
    .run(async (cli, words: string[], { file }: { file?: string }) => {
      const text = await readContent(words, file);
      await sendAndPrint(cli, 'inject', { text }, 'The minds see it until the next audit.');
    });
