import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { usageError } from '../failure.ts';

/** Writes a file that appears only when it is complete and on the disk. */
export async function writeFileAtomically(path: string, chunks: AsyncIterable<string>, force: boolean): Promise<void> {
  if (existsSync(path) && !force)
    throw usageError(`${path} already exists. Choose another name, or add --force to replace it.`);
  const temporaryFile = `${path}.part`;
  // Only the owner may read the file: it holds the whole conversation.
  const file = await open(temporaryFile, 'w', 0o600);
  try {
    await writeAll(file, chunks);
    await file.sync();
    await file.close();
    await rename(temporaryFile, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporaryFile, { force: true });
    throw error;
  }
}

async function writeAll(file: FileHandle, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) await file.write(chunk);
}
