import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { findThreadRow } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[thread]', `${THREAD_HELP}; without it, lists your pins`)
    .option('--before <thread>', 'put it before this pinned thread')
    .examples('heddle pin Garden', 'heddle pin Garden --before Attic', 'heddle pin')
    .run(pin);

async function pin(cli: Cli, name: string | undefined, options: { before?: string }): Promise<void> {
  const { out } = cli;
  await withClient(cli, async (client) => {
    if (name === undefined) {
      const [{ pins }, { threads }] = await Promise.all([
        client.pins.list(),
        client.threads.list({ archived: 'true' }),
      ]);
      const titles = new Map(threads.map(({ id, title }) => [id, title]));
      if (out.json) return out.value({ pins });
      if (pins.length === 0) return out.note('You have no pins. Pin a thread: heddle pin "Garden plans"');
      return out.lines(pins.map((id) => `${out.colors.dim(id)}  ${oneLine(titles.get(id) ?? '')}`));
    }
    const row = await findThreadRow(client, name);
    const before = options.before === undefined ? undefined : (await findThreadRow(client, options.before)).id;
    const answer = await client.pins.set({ thread: row.id, before });
    return out.answer(answer, `Pinned “${oneLine(row.title)}”.`);
  });
}
