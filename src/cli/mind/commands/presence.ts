import type { DeclareCommand } from '../../command.ts';
import { parseChoice } from '../../input/choice.ts';
import { sendAndPrint } from '../../threads/send.ts';

const ENGAGEMENTS = ['absent', 'reviewing', 'engaged'] as const;

export const declare: DeclareCommand = (command) =>
  command
    .argument('<how>', ENGAGEMENTS.join(', '))
    .examples('mind presence absent', 'mind presence reviewing')
    .footnote('The mind sees this; it is not an instruction.')
    .run((cli, word: string) => {
      const engagement = parseChoice(word, ENGAGEMENTS);
      return sendAndPrint(cli, 'engagement', { engagement }, `The mind now sees that you are ${engagement}.`);
    });
