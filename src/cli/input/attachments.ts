import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Client, NamedAttachment } from '../../client/index.ts';
import { formatSize, MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '../../core/attachments/attachment.ts';
import type { CliCommand } from '../command.ts';
import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';

export interface AttachOptions {
  readonly attach?: readonly string[];
}

export function addAttachOption(command: CliCommand): CliCommand {
  const collect = (file: string, before: readonly string[] = []) => [...before, file];
  return command.option('--attach <file>', 'attach this file; repeat for more files', collect);
}

/** Says the names of the files if there is nothing else to say. */
export function namesOf({ attach = [] }: AttachOptions): string {
  return attach.map((file) => basename(file)).join(', ');
}

/** Uploads files (I27). All of them are checked before the first is sent. */
export async function attachFiles(client: Client, { attach = [] }: AttachOptions): Promise<NamedAttachment[]> {
  if (attach.length > MAX_ATTACHMENTS) throw usageError(`Attach at most ${MAX_ATTACHMENTS} files at once.`);
  for (const file of attach) checkFile(file);
  const attachments: NamedAttachment[] = [];
  for (const file of attach) {
    const { blob } = await client.blobs.upload(new Uint8Array(readFileSync(file)));
    attachments.push({ blob, name: basename(file) });
  }
  return attachments;
}

function checkFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile()) throw usageError(`There is no file ${oneLine(file)}. Nothing was sent.`);
  if (found.size <= MAX_ATTACHMENT_BYTES) return;
  const limit = formatSize(MAX_ATTACHMENT_BYTES);
  throw usageError(`${oneLine(file)} has ${formatSize(found.size)}; a file can have ${limit}. Nothing was sent.`);
}
