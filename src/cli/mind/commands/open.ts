import type { DeclareCommand } from '../../command.ts';
import { THREAD_HELP } from '../../input/thread-help.ts';
import { listThreads, selectThread } from '../../threads/open.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[dialogue]', `${THREAD_HELP}; without it, lists all`)
    .examples('mind open', 'mind open "Garden plans"', 'mind open 7QK2ZC')
    .run((cli, name: string | undefined) => (name === undefined ? listThreads(cli) : selectThread(cli, name)));
