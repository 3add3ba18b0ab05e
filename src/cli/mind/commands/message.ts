import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { contentOf } from '../../input/content.ts';
import { answer, contentIn, send } from '../../threads/send.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[text...]', 'what to say; without it, what comes on standard input')
    .option('-f, --file <file>', 'say what is in this file')
    .addHelpText(
      'after',
      examples('mind message "Shall we plant beans?"', 'mind message -f question.md', 'git diff | mind message'),
    )
    .addHelpText('after', '\nIt waits for an answer until you accept a draft: "mind run" lets the mind think.')
    .action((words: string[], { file }: { file?: string }) => message(start(), words, file));

async function message(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const done = await send(cli, 'message', { text: await contentOf(words, file) });
  answer(cli, done, `Turn ${contentIn(done).turn} waits for an answer.`);
  cli.out.note('Let the mind think: mind run');
}
