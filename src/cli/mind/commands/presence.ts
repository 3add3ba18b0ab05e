import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { usage } from '../../failure.ts';
import { answer, send } from '../../threads/send.ts';

const WAYS = ['absent', 'reviewing', 'engaged'] as const;

export const declare: Declare = (command, start) =>
  command
    .argument('<how>', WAYS.join(', '))
    .addHelpText('after', examples('mind presence absent', 'mind presence reviewing'))
    .addHelpText('after', '\nThe mind is told; it is no instruction.')
    .action((how: string) => presence(start(), how));

async function presence(cli: Cli, how: string): Promise<void> {
  const engagement = WAYS.find((way) => way === how);
  if (!engagement) throw usage(`"${how}" is none of ${WAYS.join(', ')}.`);
  answer(cli, await send(cli, 'engagement', { engagement }), `The mind is told that you are ${engagement}.`);
}
