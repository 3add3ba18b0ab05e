import { TurnWithdrawn } from '../../../core/dialogue/events.ts';
import type { DeclareCommand } from '../../command.ts';
import { contentOf, sendAndPrint } from '../../threads/send.ts';

export const declare: DeclareCommand = (command) =>
  command.examples('mind withdraw').run((cli) =>
    sendAndPrint(cli, 'withdraw', {}, (result) => {
      return `Withdrew the message of turn ${contentOf(result, TurnWithdrawn).turn}.`;
    }),
  );
