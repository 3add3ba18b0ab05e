import { expect, test } from 'vitest';
import { cleanFileName, formatSize, MAX_FILE_NAME } from './attachment.ts';

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\photo.png', 'photo.png'],
  ['photo\u202egnp.exe', 'photo\ufffdgnp.exe'],
  ['a\nb\u2028c\0d\u001b[2J.txt', 'a b c\ufffdd\ufffd[2J.txt'],
  ['', 'file'],
  ['..', 'file'],
  ['/', 'file'],
  [' spaced name .txt ', 'spaced name .txt'],
  ['תמונה.png', 'תמונה.png'],
  ['half \ud800 of it', 'half \ufffd of it'],
])('[I27] the name %j is shown and saved as %j', (name, clean) => {
  expect(cleanFileName(name)).toBe(clean);
  expect(cleanFileName(clean)).toBe(clean);
});

test('[I27] a long name keeps its ending', () => {
  const name = cleanFileName(`${'long '.repeat(100)}.jpeg`);
  expect(Array.from(name).length).toBeLessThanOrEqual(MAX_FILE_NAME);
  expect(name).toMatch(/^long .*….jpeg$/);
  expect(cleanFileName(name)).toBe(name);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 KB'],
  [1536, '1.5 KB'],
  [1_258_291, '1.2 MB'],
  [25 * 1024 * 1024, '25 MB'],
  [999_999, '977 KB'],
])('[I27] %d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text);
});
