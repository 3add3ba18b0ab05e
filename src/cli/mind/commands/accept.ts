import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { readText } from '../../input/text.ts';
import { numberIn } from '../../output/numbers.ts';
import { answer, contentIn, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[n]', 'which draft (default: the latest reply, never a signal)')
    .option('--edit-file <file>', 'accept it as you changed it: the text in this file')
    .addHelpText('after', examples('mind accept', 'mind accept 3', 'mind accept 3 --edit-file better.txt'))
    .action((draft: string | undefined, { editFile }: { editFile?: string }) => accept(start(), draft, editFile));

async function accept(cli: Cli, draft: string | undefined, file: string | undefined): Promise<void> {
  const done = await send(cli, 'accept', {
    ...(draft !== undefined && { draft: numberIn(draft, 'a draft') }),
    // The end of the last line is the editor's, not the text's.
    ...(file !== undefined && { text: readText(file).replace(/\r?\n$/, '') }),
  });
  const { turn, draft: index, edited } = contentIn(done);
  answer(cli, done, `Turn ${turn} is answered with draft #${index}${edited ? ', as you changed it' : ''}.`);
}
