import { ObserverSpoke } from '../../../core/exchange/events.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withClient } from '../../connect/client.ts';
import { type AttachOptions, addAttachOption, attachFiles, namesOf } from '../../input/attachments.ts';
import { readContent } from '../../input/content.ts';
import { contentOf } from '../../threads/send.ts';
import { followAndConclude, startedBy } from '../follow.ts';

export const declare: DeclareCommand = (command) =>
  addAttachOption(command)
    .argument('[text...]', 'the text (default: read from standard input)')
    .option('-f, --file <file>', 'read the text from this file')
    .examples('logos observe "The second point matters most."', 'logos observe -f answer.md')
    .footnote('The minds and the auditor see it. Rounds that waited for your answer continue, and are shown.')
    .run(observe);

async function observe(
  cli: Cli,
  words: readonly string[],
  { file, ...files }: { file?: string } & AttachOptions,
): Promise<void> {
  const text = await readContent(words, file, namesOf(files));
  const attachments = files.attach ? await withClient(cli, (client) => attachFiles(client, files)) : [];
  await followAndConclude(cli, async (thread) => {
    const result = await thread.command('observe', { text, ...(attachments.length > 0 && { attachments }) });
    const { audit } = contentOf(result, ObserverSpoke);
    const addition = audit === undefined ? '' : `, as your answer to audit ${audit}`;
    cli.out.answer(result, `The minds see it${addition}.`);
    return startedBy(result);
  });
}
