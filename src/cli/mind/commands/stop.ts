import type { DeclareCommand } from '../../command.ts';
import { sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('mind stop')
    .footnote('Nothing is lost: "mind run" continues from there.')
    .run((cli) =>
      sendAndPrint(cli, 'stop_run', {}, ({ events }) =>
        events.length > 0 ? 'The mind stopped thinking.' : 'The mind was not thinking.',
      ),
    );
