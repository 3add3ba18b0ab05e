import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { EXIT, Failure, usage } from '../failure.ts';
import { contentOf } from '../input/content.ts';
import { idsIn } from '../input/ids.ts';
import { tellPosted } from '../output/delivery.ts';
import { eventIn } from '../threads/event.ts';
import { threadOfClient } from '../threads/find.ts';

interface Options {
  readonly file?: string;
  readonly to?: string;
  readonly replyTo?: string;
  readonly as?: string;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('[text...]', 'what to say; without it, what comes on standard input')
    .option('-f, --file <file>', 'say what is in this file')
    .option('--to <ids>', 'for these participants, separated by commas (default: all)')
    .option('--reply-to <event>', 'the event it answers, by id or number')
    .option('--as <id>', 'make sure that HEDDLE_TOKEN, which you have set, is the token of this participant')
    .addHelpText(
      'after',
      examples(
        'heddle post Garden "Shall we plant beans?"',
        'heddle post Garden -f notes.md --to alpha',
        'git diff | heddle post Review --reply-to 12',
      ),
    )
    .action((thread: string, words: string[], options: Options) => post(start(), thread, words, options));

async function post(cli: Cli, name: string, words: readonly string[], options: Options): Promise<void> {
  const content = await contentOf(words, options.file);
  let isServed = cli.database !== undefined;
  const posted = await withClient(cli, async (client, server) => {
    isServed ||= server !== undefined;
    if (options.as) await mustBe(client, options.as);
    const thread = client.thread(await threadOfClient(client, name));
    const reply = options.replyTo && (await eventIn(thread, options.replyTo));
    const to = idsIn(options.to);
    return thread.post({
      type: 'message',
      content,
      ...(to.length > 0 && { to: to.length === 1 ? (to[0] as string) : to }),
      ...(reply && { meta: { reply_to: reply } }),
    });
  });
  tellPosted(cli.out, posted, isServed);
}

/** Whom a token acts as is the server's to say; a wrong one is noticed before anything is written under another name. */
async function mustBe(client: Client, participant: string): Promise<void> {
  if (!process.env.HEDDLE_TOKEN) {
    throw usage(`To write as ${participant}, set HEDDLE_TOKEN to its token: heddle token --participant ${participant}`);
  }
  const { me } = await client.me();
  if (me.participant === participant) return;
  throw new Failure(
    'forbidden',
    `HEDDLE_TOKEN is the token of ${me.participant}, not of ${participant}. Nothing was posted.`,
    EXIT.refused,
  );
}
