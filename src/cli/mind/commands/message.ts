import { TurnOpened } from '../../../core/dialogue/events.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { readContent } from '../../input/content.ts';
import { contentOf, printResult, send } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[text...]', 'what to say; without it, what comes on standard input')
    .option('-f, --file <file>', 'say what is in this file')
    .examples('mind message "Shall we plant beans?"', 'mind message -f question.md', 'git diff | mind message')
    .footnote('It waits for an answer until you accept a draft: "mind run" lets the mind think.')
    .run((cli, words: string[], { file }: { file?: string }) => message(cli, words, file));

async function message(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const result = await send(cli, 'message', { text: await readContent(words, file) });
  printResult(cli, result, `Turn ${contentOf(result, TurnOpened).turn} waits for an answer.`);
  cli.out.note('Let the mind think: mind run');
}
