import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { contentOf } from '../../input/content.ts';
import { answer, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[text...]', 'what the minds should see; without it, what comes on standard input')
    .option('-f, --file <file>', 'what is in this file')
    .addHelpText('after', examples('logos inject "What would a child ask here?"', 'logos inject -f question.md'))
    .addHelpText('after', '\nIt is shown behind ">>>" until the next audit, and never sampled.')
    .action((words: string[], { file }: { file?: string }) => inject(start(), words, file));

async function inject(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const done = await send(cli, 'inject', { text: await contentOf(words, file) });
  answer(cli, done, 'The minds see it until the next audit.');
}
