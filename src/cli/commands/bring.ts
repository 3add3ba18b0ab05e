import { own } from '../../core/util/get-own.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { oneLine } from '../output/text.ts';
import { linkIn } from '../threads/link.ts';

interface Options {
  readonly to?: string;
  readonly as?: 'draft' | 'message' | 'steer' | 'accept' | 'branch';
}

export const declare: Declare = (command, start) =>
  command
    .argument('<from>', 'a loom, for the path you are on; or the address of a node, draft or other text')
    .option('--to <place>', 'a thread or a place in it (default: where it was opened from)')
    .option('--as <what>', 'draft or message; in a dialogue message, steer or accept; in a loom branch')
    .addHelpText(
      'after',
      examples(
        'heddle bring "Another way"',
        'heddle bring "Another way" --to Garden --as message',
        'heddle bring "/dialogue/01KA3…#2.3" --as message',
      ),
    )
    .action((from: string, options: Options) => bring(start(), from, options));

const BECAME: Readonly<Record<string, string>> = {
  'draft.proposed': 'beside it as a draft, for a human to post',
  message: 'as a message',
  'turn.opened': 'as your message',
  'turn.steered': 'as a note',
  'turn.accepted': 'as the answer you accept',
  'injection.made': 'as a message from outside',
  'loom.committed': 'as a branch',
};

async function bring(cli: Cli, name: string, { to, as }: Options): Promise<void> {
  const brought = await withClient(cli, async (client) =>
    client.bring({
      from: await linkIn(client, name),
      ...(to !== undefined && { to: await linkIn(client, to) }),
      ...(as !== undefined && { as }),
    }),
  );
  if (cli.out.json) return cli.out.value(brought);
  const { events, thread, link } = brought;
  const how = own(BECAME, events[0]?.type ?? '') ?? '';
  cli.out.line(`Brought to “${oneLine(thread.title)}” ${how}. ${cli.out.colors.dim(link)}`);
}
