import { type Command, CommanderError } from 'commander';
import { nearest } from '../core/text/nearest.ts';
import { EXIT } from './failure.ts';

/** Options of the program itself that are followed by a value. */
const WITH_VALUE = ['--workspace', '--database', '--thread'];

/** Where the first word stands that is no option of the program itself; -1 when there is none. */
export function firstWordAt(words: readonly string[], from = 0): number {
  for (let i = from; i < words.length; i++) {
    const word = words[i] as string;
    if (WITH_VALUE.includes(word)) i++;
    else if (word !== '--json' && !WITH_VALUE.some((name) => word.startsWith(`${name}=`))) return i;
  }
  return -1;
}

/** Says which subcommands there are where none or a wrong one was given, before any of them is run (C6). */
export function checkSubcommand(root: Command, words: readonly string[]): void {
  const at = firstWordAt(words);
  const command = root.commands.find((each) => each.name() === words[at]);
  if (!command || command.commands.length === 0 || words.some((word) => word === '--help' || word === '-h')) return;
  const called = `${root.name()} ${command.name()}`;
  const names = command.commands.map((each) => each.name());
  const word = words[firstWordAt(words, at + 1)];
  if (word === undefined) {
    if (usualOf(command)) return;
    throw wrong(`"${called}" needs a subcommand: ${names.join(', ')}. "${called} --help" shows what each takes.`);
  }
  if (word.startsWith('-') || names.includes(word) || takesWords(command)) return;
  const close = nearest(word, names);
  const hint = close ? `Did you mean "${called} ${close}"?` : `Use one of these: ${names.join(', ')}.`;
  throw wrong(`There is no subcommand "${word}" of "${called}". ${hint}`);
}

export function wrong(message: string): CommanderError {
  return new CommanderError(EXIT.usage, 'unknown', message);
}

/** The subcommand that is meant when none is named; commander keeps it to itself. */
function usualOf(command: Command): Command | undefined {
  const { _defaultCommandName: name } = command as unknown as { _defaultCommandName?: string };
  return command.commands.find((each) => each.name() === name);
}

/** Whether any word may follow, because the command or its usual subcommand takes some. */
function takesWords(command: Command): boolean {
  return [command, usualOf(command)].some((each) => (each?.registeredArguments.length ?? 0) > 0);
}
