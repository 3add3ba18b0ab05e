import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { usageError } from '../../failure.ts';
import { printResult, send } from '../../threads/send.ts';

const ENGAGEMENTS = ['absent', 'reviewing', 'engaged'] as const;

export const declare: DeclareCommand = (command) =>
  command
    .argument('<how>', ENGAGEMENTS.join(', '))
    .examples('mind presence absent', 'mind presence reviewing')
    .footnote('The mind is told; it is no instruction.')
    .run(presence);

async function presence(cli: Cli, word: string): Promise<void> {
  const engagement = ENGAGEMENTS.find((each) => each === word);
  if (!engagement) throw usageError(`"${word}" is none of ${ENGAGEMENTS.join(', ')}.`);
  printResult(cli, await send(cli, 'engagement', { engagement }), `The mind is told that you are ${engagement}.`);
}
