import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { oneLine } from '../../output/text.ts';
import { makeCurrent } from '../../threads/current.ts';
import { answer, send } from '../../threads/send.ts';
import { withDialogue } from '../reader.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[title...]', 'the title of the fork')
    .addHelpText('after', examples('mind fork', 'mind fork "Another topic"'))
    .addHelpText(
      'after',
      '\nIt begins where this one was before the message that waits, and becomes the current dialogue.',
    )
    .action((title: string[]) => fork(start(), title.join(' ')));

async function fork(cli: Cli, title: string): Promise<void> {
  const open = await withDialogue(cli, ({ dialogue }) => dialogue.open);
  const done = await send(cli, 'fork', { ...(open && { seq: open.opened - 1 }), ...(title && { title }) });
  makeCurrent(cli, done.thread.id);
  answer(
    cli,
    done,
    `“${oneLine(done.thread.title)}” is the current dialogue now. ${cli.out.colors.dim(done.thread.id)}`,
  );
}
