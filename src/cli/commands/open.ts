import { withArticle } from '../../core/text/article.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { oneLine } from '../output/text.ts';
import { resolveLink } from '../threads/link.ts';

interface OpenCommandOptions {
  readonly as: 'loom' | 'dialogue';
  readonly title?: string;
  readonly ask?: string;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<link>', 'the address of a message, draft, thought, audit or node, or a loom')
    .requiredOption('--as <kind>', 'loom or dialogue')
    .option('--title <title>', 'its title (default: the beginning of the text)')
    .option('--ask <text>', 'for a dialogue: your question about it')
    .examples(
      'heddle open "/threads/01KA3…#01KA4…" --as loom',
      'heddle open "/dialogue/01KA3…#2.3" --as loom --title "Another way"',
      'heddle open "/threads/01KA3…#01KA4…" --as dialogue --ask "What is missing?"',
    )
    .footnote('Heddle remembers where it came from: "heddle bring" sends your result back there.')
    .run(open);

async function open(cli: Cli, name: string, { as, title, ask }: OpenCommandOptions): Promise<void> {
  const { out } = cli;
  const result = await withClient(cli, async (client) =>
    client.open({ link: await resolveLink(client, name), as, title: title || undefined, ask: ask || undefined }),
  );
  const { thread, link } = result;
  out.answer(result, `Opened “${oneLine(thread.title)}” as ${withArticle(thread.kind)}. ${out.colors.dim(link)}`);
}
