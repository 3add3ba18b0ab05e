import type { DeclareCommand } from '../../command.ts';
import { THREAD_HELP } from '../../input/thread-help.ts';
import { listThreads, selectThread } from '../../threads/open.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[exchange]', `${THREAD_HELP}; without it, lists all`)
    .examples('logos open', 'logos open "Garden"', 'logos open 7QK2ZC')
    .run((cli, name: string | undefined) => (name === undefined ? listThreads(cli) : selectThread(cli, name)));
