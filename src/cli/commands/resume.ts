import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { withCommandPrefix } from '../output/hints.ts';
import { oneLine } from '../output/text.ts';
import { findThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[thread]', `${THREAD_HELP}; without it, lists the threads that wait`)
    .option('--all', 'every imported thread that waits')
    .examples('heddle resume', 'heddle resume Garden', 'heddle resume --all')
    .footnote(
      'Unfinished work in an imported thread waits until you resume it: then its runs, generations and agents start. Work that you ask for there yourself starts at once.',
    )
    .run(resume);

async function resume(cli: Cli, name: string | undefined, { all = false }: { all?: boolean }): Promise<void> {
  const { out } = cli;
  await withClient(cli, async (client) => {
    const { threads } = await client.threads.list({ archived: 'true' });
    const waitingThreads = threads.filter(({ imported }) => imported?.waiting);
    if (name === undefined && !all) {
      if (out.json) return out.value({ waiting: waitingThreads.map(({ id, title }) => ({ id, title })) });
      if (waitingThreads.length === 0) return out.line('No imported thread is waiting to be resumed.');
      for (const { id, title } of waitingThreads) out.line(`${id}  ${oneLine(title)}`);
      return out.line(
        withCommandPrefix(
          `Imported; unfinished work in ${pronounFor(waitingThreads.length)} waits until you resume: heddle resume THREAD`,
        ),
      );
    }
    const targets = all ? waitingThreads : [findThread(threads, name as string)];
    const resumedThreads: { readonly id: string; readonly title: string }[] = [];
    for (const { id, title, imported } of targets) {
      if (!imported?.waiting) {
        out.json || out.line(`“${oneLine(title)}” is not waiting. Nothing was changed.`);
        continue;
      }
      await client.thread(id).post({ type: 'control', content: { resume: true } });
      resumedThreads.push({ id, title });
      out.json || out.line(`Resumed “${oneLine(title)}”.`);
    }
    if (out.json) out.value({ resumed: resumedThreads });
    else if (all && targets.length === 0) out.line('No imported thread is waiting to be resumed.');
  });
}

function pronounFor(threads: number): string {
  return threads === 1 ? 'it' : 'them';
}
