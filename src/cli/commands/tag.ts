import type { ThreadRow } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', THREAD_HELP)
    .argument('[tags...]', 'tags to add; a dash before a tag removes it')
    .option('--remove <tags...>', 'tags to remove, for tags that look like an option')
    .allowUnknownOption()
    .examples('heddle tag Garden soil winter', 'heddle tag Garden spring -winter', 'heddle tag Garden')
    .footnote('Without tags, shows the tags of the thread. "heddle threads --tag soil" lists threads with a tag.')
    .run(tag);

async function tag(cli: Cli, name: string, words: readonly string[], options: { remove?: string[] }): Promise<void> {
  const add = words.filter((word) => !word.startsWith('-'));
  const dashed = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const remove = [...dashed, ...(options.remove ?? [])];
  const { thread } = await withThread(
    cli,
    name,
    async (target): Promise<{ thread: ThreadRow }> =>
      words.length + remove.length === 0 ? target.get() : target.command('tag', { add, remove }),
  );
  const tags = thread.tags?.map((each) => `#${oneLine(each)}`).join(' ') ?? 'no tags';
  cli.out.answer({ thread }, `“${oneLine(thread.title)}” has ${tags}.`);
}
