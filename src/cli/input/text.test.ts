import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newDirectory, newWorkspace } from '../../../test/support/program/heddle.ts';
import { assertUtf8, readTextFile } from './text.ts';

function fileWith(bytes: Uint8Array, name = 'notes.txt'): string {
  const path = join(newDirectory(), name);
  writeFileSync(path, bytes);
  return path;
}

const LATIN = Buffer.from('Gr\u00fc\u00dfe', 'latin1');
const WIDE = Buffer.from('\ufeffGr\u00fc\u00dfe', 'utf16le');

test('[C10] text that is not UTF-8 is refused with the command that converts it', async () => {
  const latin = fileWith(LATIN);
  const sentence = `iconv -f WINDOWS-1252 -t UTF-8 ${latin} > ${latin}.utf8`;
  expect(() => readTextFile(latin)).toThrow(sentence);
  await expect(assertUtf8(latin)).rejects.toThrow(sentence);
  await expect(assertUtf8(fileWith(WIDE))).rejects.toThrow('iconv -f UTF-16 -t UTF-8');
  expect(() => readTextFile(fileWith(LATIN, "it's.txt"))).toThrow(/'\S+it'\\''s\.txt' > '\S+it'\\''s\.txt\.utf8'/);
});

test('[C10] UTF-8 is taken as it is, however it is cut into pieces', async () => {
  const text = 'Gr\u00fc\u00dfe \u{1f33f}'.repeat(20_000);
  const path = fileWith(Buffer.from(text));
  expect(readTextFile(path)).toBe(text);
  await assertUtf8(path);
  await expect(assertUtf8(fileWith(Buffer.from(text).subarray(0, -1)))).rejects.toThrow('is not UTF-8');
});

test('[C10] every command that takes a text refuses other encodings, and stores nothing', async () => {
  const { ok, run } = newWorkspace();
  await ok('threads', 'new', 'Garden');
  const file = fileWith(LATIN);
  const ways: [string[], Uint8Array?][] = [
    [['post', 'Garden', '-f', file]],
    [['post', 'Garden', '-'], LATIN],
    [['loom', 'new', 'x', '-f', file]],
    [['loom', 'import', file]],
    [['import', file]],
  ];
  for (const [words, input] of ways) {
    const { code, err } = await run(words, input && { input });
    expect([words, code]).toEqual([words, words[0] === 'import' ? 1 : 3]);
    expect(err).toContain('iconv -f WINDOWS-1252 -t UTF-8');
  }
  expect((await ok('threads', '--json')).json.threads).toHaveLength(1);
});
