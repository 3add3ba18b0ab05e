import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { contentOf } from '../../input/content.ts';
import { answer, contentIn, type Done } from '../../threads/send.ts';
import { conclude, follow, goesOn } from '../follow.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[text...]', 'what you say; without it, what comes on standard input')
    .option('-f, --file <file>', 'say what is in this file')
    .addHelpText('after', examples('logos observe "The second point matters most."', 'logos observe -f answer.md'))
    .addHelpText(
      'after',
      '\nThe minds and the auditor see it. Rounds that waited for your answer go on, and are shown.',
    )
    .action((words: string[], { file }: { file?: string }) => observe(start(), words, file));

async function observe(cli: Cli, words: readonly string[], file: string | undefined): Promise<void> {
  const text = await contentOf(words, file);
  let done: Done | undefined;
  const reading = await follow(cli, {
    begin: async (thread) => {
      done = await thread.command('observe', { text });
      const { audit } = contentIn(done);
      answer(
        cli,
        done,
        audit === undefined ? 'The minds see it.' : `The minds see it, as your answer to audit ${audit}.`,
      );
      return goesOn(done) ? {} : undefined;
    },
  });
  if (done && goesOn(done)) conclude(cli, reading);
}
