import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withClient } from '../../connect/client.ts';
import { oneLine } from '../../output/text.ts';
import { setCurrentThread } from '../../threads/current.ts';
import { assertModelExists } from '../model.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('[title...]', 'what it is about')
    .option('--model <name>', 'which model thinks: one of "heddle models" (default: the one for minds)')
    .examples('mind init', 'mind init "Garden plans"', 'mind init "A letter" --model chat')
    .run((cli, title: string[], { model }: { model?: string }) => init(cli, title.join(' '), model));

async function init(cli: Cli, title: string, model: string | undefined): Promise<void> {
  const { out } = cli;
  const { thread } = await withClient(cli, async (client) => {
    if (model !== undefined) await assertModelExists(client, model, 'Nothing was begun.');
    return client.threads.create({
      title: title || defaultTitle(new Date()),
      kind: 'dialogue',
      setup: model === undefined ? {} : { model },
    });
  });
  setCurrentThread(cli, thread.id);
  if (out.json) return out.value({ thread });
  out.line(`Began “${oneLine(thread.title)}” ${out.colors.dim(thread.id)}`);
  out.note('Say something: mind message "…"');
}

function defaultTitle(now: Date): string {
  return `Dialogue of ${now.toLocaleString('sv').slice(0, 16)}`;
}
