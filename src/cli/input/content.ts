import { usage } from '../failure.ts';
import { readInput, readText } from './text.ts';

/** What a person wants to say: words of the command line, a file, or what comes on standard input. */
export async function contentOf(words: readonly string[], file: string | undefined): Promise<string> {
  if (file !== undefined && words.length > 0) throw usage('Give the text or a file, not both.');
  if (file !== undefined && file !== '-') return readText(file).trimEnd();
  if (words.length > 0 && !(words.length === 1 && words[0] === '-')) return words.join(' ');
  if (process.stdin.isTTY) process.stderr.write('Write the message, then press Ctrl-D at the beginning of a line.\n');
  const content = (await readInput()).trimEnd();
  if (content === '') throw usage('There is nothing to say: give a text, a file with -f, or standard input.');
  return content;
}
