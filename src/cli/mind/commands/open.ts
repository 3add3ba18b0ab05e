import type { DeclareCommand } from '../../command.ts';
import { listThreads, selectThread } from '../../threads/open.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[dialogue]', 'its id, the beginning or end of it, or its exact title; without it, all are listed')
    .examples('mind open', 'mind open "Garden plans"', 'mind open 7QK2ZC')
    .run((cli, name: string | undefined) => (name === undefined ? listThreads(cli) : selectThread(cli, name)));
