import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { contentOf } from '../../input/content.ts';
import { answer, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[text...]', 'what the mind should mind; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .addHelpText('after', examples('mind steer "Shorter, and without the metaphor."', 'mind steer -f notes.md'))
    .action((words: string[], { file }: { file?: string }) => steer(start(), words, file));

async function steer(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const done = await send(cli, 'steer', { text: await contentOf(words, file) });
  answer(cli, done, 'The mind sees it from its next iteration on.');
}
