import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { asStarted } from '../output/hints.ts';
import { oneLine } from '../output/text.ts';
import { findThread } from '../threads/find.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[thread]', 'its id, the beginning or end of it, or its exact title; without it, what waits is listed')
    .option('--all', 'every imported thread that waits')
    .addHelpText('after', examples('heddle resume', 'heddle resume Garden', 'heddle resume --all'))
    .addHelpText(
      'after',
      '\nWhat was open in an imported thread waits until you resume it: then its runs, generations and agents begin. What you ask for there yourself is done at once.',
    )
    .action((thread: string | undefined, { all = false }: { all?: boolean }) => resume(start(), thread, all));

async function resume({ out, ...cli }: Cli, name: string | undefined, all: boolean): Promise<void> {
  await withClient({ out, ...cli }, async (client) => {
    const { threads } = await client.threads.list();
    const waiting = threads.filter(({ imported }) => imported?.waiting);
    if (name === undefined && !all) {
      if (out.json) return out.value({ waiting: waiting.map(({ id, title }) => ({ id, title })) });
      if (waiting.length === 0) return out.line('Nothing waits: no imported thread is to be resumed.');
      for (const { id, title } of waiting) out.line(`${id}  ${oneLine(title)}`);
      return out.line(
        asStarted(`Imported; open work in ${count(waiting.length)} waits until you resume: heddle resume THREAD`),
      );
    }
    const chosen = all ? waiting : [findThread(threads, name as string)];
    const resumed: { readonly id: string; readonly title: string }[] = [];
    for (const { id, title, imported } of chosen) {
      if (!imported?.waiting) {
        out.json || out.line(`“${oneLine(title)}” does not wait. Nothing was changed.`);
        continue;
      }
      await client.thread(id).post({ type: 'control', content: { resume: true } });
      resumed.push({ id, title });
      out.json || out.line(`Resumed “${oneLine(title)}”.`);
    }
    if (out.json) out.value({ resumed });
    else if (all && chosen.length === 0) out.line('Nothing waits: no imported thread is to be resumed.');
  });
}

function count(threads: number): string {
  return threads === 1 ? 'it' : 'them';
}
