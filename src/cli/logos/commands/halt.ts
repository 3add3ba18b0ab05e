import type { DeclareCommand } from '../../command.ts';
import { sendAndPrint } from '../../threads/send.ts';
import { requireReason } from '../input.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .examples('logos halt "It has said what it had to say."')
    .footnote('Nothing is lost: "logos branch" continues from here, "logos rollback R" from an earlier round.')
    .run((cli, words: string[], options: { reason?: string }) => {
      const reason = requireReason(words, options.reason);
      return sendAndPrint(cli, 'halt', { reason }, ({ events }) =>
        events.length > 0 ? 'The exchange has ended.' : 'The exchange had ended already.',
      );
    });
