import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what the minds should see; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .examples('logos inject "What would a child ask here?"', 'logos inject -f question.md')
    .footnote('It is shown behind ">>>" until the next audit, and never sampled.')
    .run((cli, words: string[], { file }: { file?: string }) => inject(cli, words, file));

async function inject(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const result = await send(cli, 'inject', { text: await readContent(words, file) });
  printResult(cli, result, 'The minds see it until the next audit.');
}
