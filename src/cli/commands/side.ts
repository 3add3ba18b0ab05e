import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { parseIds } from '../input/ids.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

interface SideOpenOptions {
  readonly with: string[];
  readonly title?: string;
  readonly messages?: string;
  readonly seconds?: string;
}

export const declare: DeclareCommand = (command) => {
  command.examples(
    'heddle side open Garden "Which beans?" --with alpha beta',
    'heddle side close "Which beans?" "Runner beans, says alpha."',
  );
  command
    .command('open <thread> <question...>')
    .description('ask some participants of a thread a question in a side channel')
    .requiredOption('--with <ids...>', 'who takes part')
    .option('--title <title>', 'its title (default: the question)')
    .option('--messages <n>', 'message limit')
    .option('--seconds <n>', 'how long it may take')
    .examples('heddle side open Garden "Which beans?" --with alpha beta')
    .run((cli, name: string, question: string[], options: SideOpenOptions) =>
      open(cli, name, question.join(' '), options),
    );
  command
    .command('close <thread> <summary...>')
    .description('close a side channel with a summary, which goes to the thread it belongs to')
    .examples('heddle side close "Which beans?" "Runner beans, says alpha."')
    .run((cli, name: string, summary: string[]) => close(cli, name, summary.join(' ')));
};

async function open(cli: Cli, name: string, question: string, options: SideOpenOptions): Promise<void> {
  const { title, messages, seconds } = options;
  const budget = {
    ...(messages && { messages: parsePositiveInteger(messages) }),
    ...(seconds && { seconds: parsePositiveInteger(seconds) }),
  };
  const { events, thread } = await withThread(cli, name, (target) =>
    target.command('side_open', {
      question,
      members: parseIds(...options.with),
      title: title || undefined,
      budget: messages || seconds ? budget : undefined,
    }),
  );
  cli.out.answer({ thread, events }, `Opened “${oneLine(thread.title)}” ${cli.out.colors.dim(thread.id)}`);
}

async function close(cli: Cli, name: string, summary: string): Promise<void> {
  const { events, thread } = await withThread(cli, name, (target) => target.command('side_close', { summary }));
  cli.out.answer({ thread, events }, `Closed “${oneLine(thread.title)}”; its summary is in the thread it belongs to.`);
}

function parsePositiveInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw usageError(`"${text}" is not a whole number above 0.`);
}
