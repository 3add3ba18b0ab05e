import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what the mind should mind; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .examples('mind steer "Shorter, and without the metaphor."', 'mind steer -f notes.md')
    .run((cli, words: string[], { file }: { file?: string }) => steer(cli, words, file));

async function steer(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const result = await send(cli, 'steer', { text: await readContent(words, file) });
  printResult(cli, result, 'The mind sees it from its next iteration on.');
}
