import { usageError } from '../failure.ts';
import { readStdin, readTextFile } from './text.ts';

/**
 * Reads the text to post from the command line, a file or standard input. With a `fallback`, nothing has to be said and
 * nobody is waited for.
 */
export async function readContent(words: readonly string[], file: string | undefined, fallback = ''): Promise<string> {
  if (file !== undefined && words.length > 0) throw usageError('Give the text or a file, not both.');
  if (file !== undefined && file !== '-') return readTextFile(file).trimEnd();
  if (words.length > 0 && !(words.length === 1 && words[0] === '-')) return words.join(' ');
  if (words.length === 0 && fallback !== '') return fallback;
  if (process.stdin.isTTY) process.stderr.write('Write the message, then press Ctrl-D at the beginning of a line.\n');
  const content = (await readStdin()).trimEnd();
  if (content === '')
    throw usageError('There is no text: give one as an argument, in a file with -f, or on standard input.');
  return content;
}
