import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachmentsOf, cleanFileName } from '../../core/attachments/attachment.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { EXIT, Failure } from '../failure.ts';
import { THREAD_HELP } from '../input/thread-help.ts';
import { oneLine } from '../output/text.ts';
import { resolveEventId } from '../threads/event.ts';
import { withThread } from '../threads/find.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<thread>', THREAD_HELP)
    .argument('<event>', 'the event that has the files, by id or number')
    .option('-o, --output <directory>', 'write them to this directory (default: the current one)')
    .examples('heddle file Garden 12', 'heddle file Garden 12 -o plans')
    .footnote('Existing files are not replaced: a new file gets a number.')
    .run(saveFiles);

async function saveFiles(cli: Cli, name: string, event: string, { output = '.' }: { output?: string }): Promise<void> {
  return withThread(cli, name, async (thread, client) => {
    const { event: found } = await thread.event(await resolveEventId(thread, event));
    const attachments = attachmentsOf(found.meta);
    if (attachments.length === 0) throw new Failure('unknown_blob', `Event #${found.seq} has no files.`, EXIT.refused);
    mkdirSync(output, { recursive: true });
    const files: { readonly file: string; readonly blob: string; readonly size: number }[] = [];
    for (const { blob, name: fileName } of attachments) {
      const bytes = await client.blobs.bytes(blob);
      const file = freePath(output, fileName);
      writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
      files.push({ file, blob, size: bytes.length });
    }
    cli.out.answer({ files }, ...files.map(({ file }) => `Wrote ${oneLine(file)}.`));
  });
}

/** A name never leads elsewhere, hides a file or replaces one. */
function freePath(directory: string, fileName: string): string {
  const name = cleanFileName(fileName).replace(/^[.-]/, '_');
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const path = join(directory, number === 1 ? name : `${stem} (${number})${extension}`);
    if (!existsSync(path)) return path;
  }
}
