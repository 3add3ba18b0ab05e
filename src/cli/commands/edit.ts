import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { readContent } from '../input/content.ts';
import { resolveEventId } from '../threads/event.ts';
import { resolveThreadId } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<event>', 'the ID of your message, or its number together with --thread')
    .argument('[text...]', 'the new text (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from a file')
    .option('--thread <thread>', 'the thread, if you give the number of a message')
    .examples(
      'heddle edit 12 "Plant the beans in May." --thread Garden',
      'heddle edit 01KDVDNAZ8H01ET4TY8H5HWXY4 "Plant the beans in May."',
    )
    .footnote('Earlier texts are kept, and nobody is woken. You can edit only your own messages.')
    .run(edit);

interface EditOptions {
  readonly file?: string;
  readonly thread?: string;
}

async function edit(cli: Cli, event: string, words: readonly string[], options: EditOptions): Promise<void> {
  const text = await readContent(words, options.file);
  await withClient(cli, async (client) => {
    const id = options.thread === undefined ? event : await findEventIn(client, options.thread, event);
    const { event: message } = await client.event(id);
    const result = await client.thread(message.thread).edit(id, text);
    cli.out.answer(result, `Edited. #${message.seq} has a new version.`);
  });
}

async function findEventIn(client: Client, thread: string, event: string): Promise<string> {
  return resolveEventId(client.thread(await resolveThreadId(client, thread)), event);
}
