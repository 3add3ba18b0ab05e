import { existsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { usage } from '../failure.ts';

/** A file that appears when it is complete and on the disk, or not at all. */
export async function writeWhole(path: string, parts: AsyncIterable<string>, force: boolean): Promise<void> {
  if (existsSync(path) && !force)
    throw usage(`${path} is there already. Choose another name, or add --force to replace it.`);
  const draft = `${path}.part`;
  // For its owner's eyes only: it holds everything that was said.
  const file = await open(draft, 'w', 0o600);
  try {
    await writeAll(file, parts);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeAll(file: FileHandle, parts: AsyncIterable<string>): Promise<void> {
  for await (const part of parts) await file.write(part);
}
