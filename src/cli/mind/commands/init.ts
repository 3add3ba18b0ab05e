import type { DeclareCommand } from '../../command.ts';
import { beginThread } from '../../threads/begin.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'the title')
    .option('--model <name>', 'the model that thinks, one of "heddle models" (default: the default for minds)')
    .examples('mind init', 'mind init "Garden plans"', 'mind init "A letter" --model chat')
    .run(async (cli, words: string[], { model }: { model?: string }) => {
      const setup = model === undefined ? {} : { model };
      await beginThread(cli, { title: words.join(' '), setup, modelNames: Object.values(setup) });
      cli.out.note('Send a message: mind message "…"');
    });
