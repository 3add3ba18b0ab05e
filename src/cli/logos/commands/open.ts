import type { DeclareCommand } from '../../command.ts';
import { listThreads, selectThread } from '../../threads/open.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[exchange]', 'its id, the beginning or end of it, or its exact title; without it, all are listed')
    .examples('logos open', 'logos open "Garden"', 'logos open 7QK2ZC')
    .run((cli, name: string | undefined) => (name === undefined ? listThreads(cli) : selectThread(cli, name)));
