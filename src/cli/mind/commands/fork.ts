import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withCurrentThread } from '../../threads/reader.ts';
import { send, switchToResult } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'the title of the fork')
    .examples('mind fork', 'mind fork "Another topic"')
    .footnote('It begins where this one was before the message that waits, and becomes the current dialogue.')
    .run((cli, title: string[]) => fork(cli, title.join(' ')));

async function fork(cli: Cli, title: string): Promise<void> {
  const { turn } = await withCurrentThread(cli, ({ dialogue }) => dialogue.status());
  const result = await send(cli, 'fork', { ...(turn && { seq: turn.fork_at }), ...(title && { title }) });
  switchToResult(cli, result);
}
