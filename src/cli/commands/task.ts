import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { readContent } from '../input/content.ts';
import { parseRecipients } from '../input/ids.ts';
import { postTo } from '../threads/post.ts';

interface TaskCommandOptions {
  readonly to?: string;
  readonly role?: string;
  readonly file?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('[text...]', 'what is to be done; without it, what comes on standard input')
    .option('--to <ids>', 'for these participants, separated by commas')
    .option('--role <role>', 'for everybody with this role')
    .option('-f, --file <file>', 'the text is in this file')
    .examples(
      'heddle task Garden "List the beds." --to muse',
      'heddle task Garden "Check the sources." --role critic',
      'heddle task Garden -f task.md --to muse',
    )
    .footnote('"heddle result THREAD TASK TEXT" answers it; an agent that Heddle runs answers by itself.')
    .run(postTask);

async function postTask(cli: Cli, name: string, words: readonly string[], options: TaskCommandOptions): Promise<void> {
  const recipients = parseRecipients(options.to);
  const { role } = options;
  if (recipients.to === undefined && role === undefined) throw usageError('Say who it is for: --to ID or --role ROLE.');
  const text = await readContent(words, options.file);
  const content = role === undefined ? text : { text, role };
  return postTo(cli, name, () => ({ type: 'task', content, ...recipients }));
}
