import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { resolveThreadId } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command.argument('<thread>', THREAD_HELP).examples('heddle unpin Garden').run(unpin);

async function unpin(cli: Cli, name: string): Promise<void> {
  await withClient(cli, async (client) => {
    const thread = await resolveThreadId(client, name);
    cli.out.answer(await client.pins.set({ thread, on: false }), 'Unpinned.');
  });
}
