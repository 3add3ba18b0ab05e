import type { DeclareCommand } from '../../command.ts';
import { parseNumber } from '../../input/numbers.ts';
import { sendAndPrint } from '../../threads/send.ts';
import { requireReason } from '../input.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thought>', 'its number: 12 or #12')
    .argument('[reason...]', 'why')
    .option('--reason <text>', 'why')
    .option('--undo', 'show it again')
    .examples('logos veto 12 "An advertisement."', 'logos veto 12 --undo')
    .footnote('Minds no longer see it. It stays in the log, with the reason.')
    .run((cli, number: string, words: string[], options: { reason?: string; undo?: boolean }) => {
      const thought = parseNumber(number, 'a thought');
      if (options.undo)
        return sendAndPrint(cli, 'unveto', { thought }, ({ events }) =>
          events.length > 0 ? `Minds can see #${thought} again.` : `#${thought} was not hidden.`,
        );
      const reason = requireReason(words, options.reason);
      return sendAndPrint(cli, 'veto', { thought, reason }, ({ events }) =>
        events.length > 0 ? `#${thought} is hidden from the minds.` : `#${thought} was already hidden.`,
      );
    });
