import type { ThreadRow } from '../../client/index.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { oneLine } from '../output/text.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', 'its id, the beginning or end of it, or its exact title')
    .argument('[tags...]', 'tags to add; those with a dash before them are taken away')
    .option('--remove <tags...>', 'tags to take away, where a dash would be read as an option')
    .allowUnknownOption()
    .examples('heddle tag Garden soil winter', 'heddle tag Garden spring -winter', 'heddle tag Garden')
    .footnote('Without tags it shows those that the thread has. "heddle threads --tag soil" lists threads by them.')
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
