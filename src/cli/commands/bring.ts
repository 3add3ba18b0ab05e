import { getOwn } from '../../core/util/get-own.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { oneLine } from '../output/text.ts';
import { resolveLink } from '../threads/link.ts';

interface BringOptions {
  readonly to?: string;
  readonly as?: 'draft' | 'message' | 'steer' | 'accept' | 'branch';
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<from>', 'a loom (sends your path), or the address of a node, draft or other text')
    .option('--to <place>', 'a thread or a place in it (default: the place it was opened from)')
    .option('--as <what>', 'draft or message; in a dialogue message, steer or accept; in a loom branch')
    .examples(
      'heddle bring "Another way"',
      'heddle bring "Another way" --to Garden --as message',
      'heddle bring "/dialogue/01KA3…#2.3" --as message',
    )
    .run(bring);

const EVENT_PHRASES: Readonly<Record<string, string>> = {
  'draft.proposed': 'as a draft, for a human to post',
  message: 'as a message',
  'turn.opened': 'as your message',
  'turn.steered': 'as a note',
  'turn.accepted': 'as the answer you accept',
  'injection.made': 'as a message from outside',
  'loom.committed': 'as a branch',
};

async function bring(cli: Cli, name: string, { to, as }: BringOptions): Promise<void> {
  const result = await withClient(cli, async (client) =>
    client.bring({
      from: await resolveLink(client, name),
      to: to === undefined ? undefined : await resolveLink(client, to),
      as,
    }),
  );
  const { events, thread, link } = result;
  const phrase = getOwn(EVENT_PHRASES, events[0]?.type ?? '') ?? '';
  cli.out.answer(result, `Sent to “${oneLine(thread.title)}” ${phrase}. ${cli.out.colors.dim(link)}`);
}
