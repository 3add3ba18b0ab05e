import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { type AttachOptions, addAttachOption, attachFiles, namesOf } from '../input/attachments.ts';
import { readContent } from '../input/content.ts';
import { parseRecipients } from '../input/ids.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { postTo } from '../threads/post.ts';

interface TaskCommandOptions extends AttachOptions {
  readonly to?: string;
  readonly role?: string;
  readonly file?: string;
}

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('<thread>', THREAD_HELP)
    .argument('[text...]', 'what to do (default: read from standard input)')
    .option('--to <ids>', 'for these participants, separated by commas')
    .option('--role <role>', 'for all participants with this role')
    .option('-f, --file <file>', 'read the text from this file')
    .examples(
      'heddle task Garden "List the beds." --to muse',
      'heddle task Garden "Check the sources." --role critic',
      'heddle task Garden -f task.md --to muse',
    )
    .footnote('Answer with "heddle result THREAD TASK TEXT"; agents that Heddle runs answer on their own.')
    .run(postTask);

async function postTask(cli: Cli, name: string, words: readonly string[], options: TaskCommandOptions): Promise<void> {
  const recipients = parseRecipients(options.to);
  const { role } = options;
  if (recipients.to === undefined && role === undefined)
    throw usageError('Name who it is for: --to ID or --role ROLE.');
  const text = await readContent(words, options.file, namesOf(options));
  const content = role === undefined ? text : { text, role };
  return postTo(cli, name, async (_, client) => {
    const attachments = await attachFiles(client, options);
    return { type: 'task', content, ...recipients, ...(attachments.length > 0 && { meta: { attachments } }) };
  });
}
