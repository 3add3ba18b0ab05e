import type { Client } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { EXIT, Failure, usageError } from '../failure.ts';
import { type AttachOptions, addAttachOption, attachFiles, namesOf } from '../input/attachments.ts';
import { readContent } from '../input/content.ts';
import { parseRecipients } from '../input/ids.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { resolveEventId } from '../threads/event.ts';
import { postTo } from '../threads/post.ts';

interface PostOptions extends AttachOptions {
  readonly file?: string;
  readonly to?: string;
  readonly replyTo?: string;
  readonly as?: string;
}

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('<thread>', THREAD_HELP)
    .argument('[text...]', 'the text (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from this file')
    .option('--to <ids>', 'for these participants, separated by commas (default: all)')
    .option('--reply-to <event>', 'the event it answers, by id or number')
    .option('--as <id>', 'check that HEDDLE_TOKEN, which you have set, is this participant’s token')
    .examples(
      'heddle post Garden "Shall we plant beans?"',
      'heddle post Garden -f notes.md --to alpha',
      'heddle post Garden "The beds" --attach photo.jpg --attach plan.pdf',
      'git diff | heddle post Review --reply-to 12',
    )
    .run(post);

async function post(cli: Cli, name: string, words: readonly string[], options: PostOptions): Promise<void> {
  const content = await readContent(words, options.file, namesOf(options));
  return postTo(cli, name, async (thread, client) => {
    if (options.as) await assertActingAs(client, options.as);
    const replyTo = options.replyTo && (await resolveEventId(thread, options.replyTo));
    const attachments = await attachFiles(client, options);
    const meta = { ...(replyTo && { reply_to: replyTo }), ...(attachments.length > 0 && { attachments }) };
    return {
      type: 'message',
      content,
      ...parseRecipients(options.to),
      ...(Object.keys(meta).length > 0 && { meta }),
    };
  });
}

/** Asks the server whom the token acts as, so that a wrong token fails before anything is posted under another name. */
async function assertActingAs(client: Client, participant: string): Promise<void> {
  if (!process.env.HEDDLE_TOKEN) {
    throw usageError(
      `To write as ${participant}, set HEDDLE_TOKEN to its token: heddle token --participant ${participant}`,
    );
  }
  const { me } = await client.me();
  if (me.participant === participant) return;
  throw new Failure(
    'forbidden',
    `HEDDLE_TOKEN is the token of ${me.participant}, not of ${participant}. Nothing was posted.`,
    EXIT.refused,
  );
}
