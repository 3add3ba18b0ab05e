import type { DeclareCommand } from '../../command.ts';
import { sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command
    .examples('logos stop')
    .footnote('Nothing is lost: "logos run" continues from there.')
    .run((cli) =>
      sendAndPrint(cli, 'stop_run', {}, ({ events }) =>
        events.length > 0 ? 'The minds stopped thinking.' : 'The minds were not thinking.',
      ),
    );
