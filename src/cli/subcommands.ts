import { type Command, CommanderError } from 'commander';
import { closestName } from '../core/text/nearest.ts';
import { EXIT } from './failure.ts';

/** Program options that take a value. */
const OPTIONS_WITH_VALUE = ['--workspace', '--database', '--thread'];

/** The index of the first word that is not a program option; -1 if there is none. */
export function firstWordIndex(args: readonly string[], from = 0): number {
  for (let i = from; i < args.length; i++) {
    const word = args[i] as string;
    if (OPTIONS_WITH_VALUE.includes(word)) i++;
    else if (word !== '--json' && !OPTIONS_WITH_VALUE.some((name) => word.startsWith(`${name}=`))) return i;
  }
  return -1;
}

/** Lists the valid subcommands if none or a wrong one was given, before any of them runs (C6). */
export function checkSubcommand(root: Command, args: readonly string[]): void {
  const index = firstWordIndex(args);
  const command = root.commands.find((each) => each.name() === args[index]);
  if (!command || command.commands.length === 0 || args.some((word) => word === '--help' || word === '-h')) return;
  const invocation = `${root.name()} ${command.name()}`;
  const names = command.commands.map((each) => each.name());
  const word = args[firstWordIndex(args, index + 1)];
  if (word === undefined) {
    if (defaultSubcommandOf(command)) return;
    throw commandError(
      `"${invocation}" needs a subcommand: ${names.join(', ')}. "${invocation} --help" shows their options.`,
    );
  }
  if (word.startsWith('-') || names.includes(word) || acceptsArguments(command)) return;
  const suggestion = closestName(word, names);
  const hint = suggestion ? `Did you mean "${invocation} ${suggestion}"?` : `Use one of these: ${names.join(', ')}.`;
  throw commandError(`There is no subcommand "${word}" of "${invocation}". ${hint}`);
}

export function commandError(message: string): CommanderError {
  return new CommanderError(EXIT.usage, 'unknown', message);
}

/** The subcommand that runs if none is given. Commander keeps it private. */
function defaultSubcommandOf(command: Command): Command | undefined {
  const { _defaultCommandName: name } = command as unknown as { _defaultCommandName?: string };
  return command.commands.find((each) => each.name() === name);
}

/** Whether the command or its default subcommand takes arguments. */
function acceptsArguments(command: Command): boolean {
  return [command, defaultSubcommandOf(command)].some((each) => (each?.registeredArguments.length ?? 0) > 0);
}
