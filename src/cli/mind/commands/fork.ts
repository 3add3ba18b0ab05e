import type { DeclareCommand } from '../../command.ts';
import { withCurrentThread } from '../../threads/reader.ts';
import { send, switchToResult } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'the title of the fork')
    .examples('mind fork', 'mind fork "Another topic"')
    .footnote('The fork starts before the message that is waiting, and becomes the current dialogue.')
    .run(async (cli, words: string[]) => {
      const { turn } = await withCurrentThread(cli, ({ dialogue }) => dialogue.status());
      switchToResult(cli, await send(cli, 'fork', { seq: turn?.fork_at, title: words.join(' ') || undefined }));
    });
