import { type Command, CommanderError } from 'commander';
import { closestName } from '../core/text/nearest.ts';
import { defaultWorkspacePath, directoryAt } from '../workspace/directory.ts';
import type { Cli } from './cli.ts';
import { CliCommand, type DeclareCommand } from './command.ts';
import { type ErrorReport, EXIT, errorReportOf } from './failure.ts';
import type { CliHost } from './host.ts';
import { THREAD_HELP } from './input/thread-help.ts';
import { withCommandPrefix } from './output/hints.ts';
import { createOutput, exitOnBrokenPipe } from './output/output.ts';
import { sanitize } from './output/text.ts';
import { programs } from './programs.ts';
import { checkSubcommand, commandError, firstWordIndex } from './subcommands.ts';

/** The commands the program has under one of its names (I3). */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** The command to run if none is given. */
  readonly defaultCommand: string;
  /** The kind of thread its commands act on: the one in `--thread`, or the workspace's current one of this kind. */
  readonly target?: { readonly kind: string; readonly missing: string };
  /** Commands grouped by help heading. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>>;
}

interface CommandEntry {
  readonly summary: string;
  load(): Promise<{ declare: DeclareCommand }>;
}

/** Runs one command line and sets the exit code (C6). */
export async function runCommandLine(args: readonly string[], host: CliHost, name: string): Promise<void> {
  const json = args.includes('--json');
  const program = findProgram(name);
  exitOnBrokenPipe();
  let invocation = program.name;
  try {
    const commandName = commandNameOf(args, program);
    const command = await buildCommand(program, commandName, host);
    if (commandName !== program.defaultCommand) invocation = `${program.name} ${commandName}`;
    checkSubcommand(command, args);
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    const report = error instanceof CommanderError ? usageReport(error, invocation) : errorReportOf(error);
    if (report) printError(report, json);
    process.exitCode = report?.exit ?? EXIT.done;
  }
}

/** Any other name means the first program. */
function findProgram(name: string): Program {
  return programs.find((program) => program.name === name) ?? programs[0];
}

/** Loads only the requested command's file. For the others, commander needs just the name. */
export async function buildCommand(program: Program, commandName: string | 'all', host: CliHost): Promise<Command> {
  const { name, description, defaultCommand, target, groups } = program;
  const root: CliCommand = new CliCommand(name, () => createCli(root, program, host))
    .description(description)
    .option('--workspace <dir>', 'the workspace directory (or HEDDLE_WORKSPACE; default: in your data directory)')
    .option('--database <url>', 'use a PostgreSQL database instead of a file (or HEDDLE_DATABASE)')
    .option('--json', 'print JSON')
    .version(host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .exitOverride()
    .configureOutput({
      outputError: () => {},
      writeOut: (text) => void process.stdout.write(withCommandPrefix(text, { workspace: '' })),
    })
    .footnote(`"${name} COMMAND --help" shows the options of a command, with examples.`);
  if (target) root.option('--thread <id>', `act on this one: ${THREAD_HELP}`);
  for (const [heading, group] of Object.entries(groups)) {
    root.commandsGroup(`${heading}:`);
    for (const [word, entry] of Object.entries(group)) {
      const command = root.command(word, { isDefault: word === defaultCommand }).description(entry.summary);
      if (word !== commandName && commandName !== 'all') continue;
      const { declare } = await entry.load();
      declare(command);
    }
  }
  return root;
}

/** A command's name and its required arguments, for a list. */
function termOf(command: Command): string {
  const requiredArguments = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...requiredArguments.map((each) => `<${each.name()}${each.variadic ? '...' : ''}>`)].join(
    ' ',
  );
}

/** The first word that is not a program option. The default command's options may come without its name. */
function commandNameOf(args: readonly string[], program: Program): string {
  const word = args[firstWordIndex(args)];
  return word === undefined || word.startsWith('-') ? program.defaultCommand : requireCommandName(word, program);
}

function requireCommandName(word: string, { name, groups }: Program): string {
  const words = Object.values(groups).flatMap((group) => Object.keys(group));
  if (words.includes(word)) return word;
  const suggestion = closestName(word, words) ?? words.find((each) => each.startsWith(word) || word.startsWith(each));
  const hint = suggestion ? ` Did you mean "${name} ${suggestion}"?` : '';
  throw commandError(`There is no command "${word}".${hint} "${name} --help" lists them all.`);
}

interface GlobalOptions {
  readonly workspace?: string;
  readonly database?: string;
  readonly json?: boolean;
  readonly thread?: string;
}

function createCli(root: Command, program: Program, host: CliHost): Cli {
  const { workspace, database, json = false, thread } = root.opts<GlobalOptions>();
  return {
    host,
    program,
    directory: directoryAt(workspace ?? defaultWorkspacePath()),
    database: database ?? (process.env.HEDDLE_DATABASE || undefined),
    thread,
    out: createOutput(json),
  };
}

/** Commander reports help and version as errors, too. */
function usageReport({ code, exitCode, message }: CommanderError, invocation: string): ErrorReport | undefined {
  if (exitCode === 0) return undefined;
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\?\)$/, '. Did you mean "$1"?')
    .replace(/([^.?])$/, '$1.');
  // Commander's message says what is wrong, not what to do.
  const help = code.startsWith('commander.') ? ` "${invocation} --help" shows its options.` : '';
  return { code: 'usage', message: sentence.charAt(0).toUpperCase() + sentence.slice(1) + help, exit: EXIT.usage };
}

function printError({ code, message, details }: ErrorReport, json: boolean): void {
  // How a command is used is the same in every workspace.
  const hint = withCommandPrefix(message, code === 'usage' ? { workspace: '' } : {});
  const text = json ? JSON.stringify({ error: { ...details, code, message } }) : sanitize(hint);
  process.stderr.write(`${text}\n`);
}
