import type { DeclareCommand } from '../../command.ts';
import { beginThread } from '../../threads/begin.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'what it is about')
    .option('--model <name>', 'which model thinks: one of "heddle models" (default: the one for minds)')
    .examples('mind init', 'mind init "Garden plans"', 'mind init "A letter" --model chat')
    .run(async (cli, words: string[], { model }: { model?: string }) => {
      const setup = model === undefined ? {} : { model };
      await beginThread(cli, { title: words.join(' '), setup, modelNames: Object.values(setup) });
      cli.out.note('Say something: mind message "…"');
    });
