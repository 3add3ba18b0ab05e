import { Command, CommanderError } from 'commander';
import { nearest } from '../core/text/nearest.ts';
import { directoryAt, usualPlace } from '../workspace/directory.ts';
import type { Cli } from './cli.ts';
import type { Declare } from './command.ts';
import { EXIT, type Told, toldOf } from './failure.ts';
import { heddle } from './heddle.ts';
import type { Host } from './host.ts';
import { logos } from './logos.ts';
import { mind } from './mind.ts';
import { asStarted } from './output/hints.ts';
import { createOutput, endWithReader } from './output/output.ts';
import { visible } from './output/text.ts';
import { checkSubcommand, firstWordAt, wrong } from './subcommands.ts';

/** The commands the program has under one of its names (I3). */
export interface Program {
  readonly name: string;
  readonly description: string;
  /** The command that is meant when none is named. */
  readonly usual: string;
  /** Its commands act on one thread: that of `--thread`, or the workspace's current one of this kind. */
  readonly onThread?: { readonly kind: 'dialogue' | 'exchange'; readonly none: string };
  /** By heading. */
  readonly groups: Readonly<Record<string, Readonly<Record<string, Entry>>>>;
}

interface Entry {
  readonly summary: string;
  load(): Promise<{ declare: Declare }>;
}

/** Runs one command line and sets the exit code (C6). */
export async function run(words: readonly string[], host: Host, name: string): Promise<void> {
  const json = words.includes('--json');
  const program = programNamed(name);
  endWithReader();
  let called = program.name;
  try {
    const wanted = wantedBy(words, program);
    const command = await commandOf(program, wanted, host);
    if (wanted !== program.usual) called = `${program.name} ${wanted}`;
    checkSubcommand(command, words);
    await command.parseAsync(words, { from: 'user' });
  } catch (error) {
    const told = error instanceof CommanderError ? usageOf(error, called) : toldOf(error);
    if (told) tell(told, json);
    process.exitCode = told?.exit ?? EXIT.done;
  }
}

/** Under any other name it is what it is by itself. */
function programNamed(name: string): Program {
  return [mind, logos].find((program) => program.name === name) ?? heddle;
}

/** Only the wanted command's file is loaded; of the others, commander needs to know the name. */
export async function commandOf(program: Program, wanted: string | 'all', host: Host): Promise<Command> {
  const { name, description, usual, onThread, groups } = program;
  const root = new Command(name)
    .description(description)
    .option('--workspace <dir>', 'where the workspace is (or HEDDLE_WORKSPACE; default: your data directory)')
    .option('--database <url>', 'a PostgreSQL database in the place of the file (or HEDDLE_DATABASE)')
    .option('--json', 'answer in JSON')
    .version(host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeOut: (text) => void process.stdout.write(asStarted(text)) })
    .addHelpText('after', `\n"${name} COMMAND --help" shows what a command takes, with examples.`);
  if (onThread) root.option('--thread <id>', 'act on this one: its id, the beginning or end of it, or its exact title');
  for (const [heading, group] of Object.entries(groups)) {
    root.commandsGroup(`${heading}:`);
    for (const [word, entry] of Object.entries(group)) {
      const command = root.command(word, { isDefault: word === usual }).description(entry.summary);
      if (word !== wanted && wanted !== 'all') continue;
      const { declare } = await entry.load();
      declare(command, () => contextOf(command, program, host));
    }
  }
  return root;
}

/** A command in a list: its name and what it cannot do without. */
function termOf(command: Command): string {
  const needed = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...needed.map((each) => `<${each.name()}${each.variadic ? '...' : ''}>`)].join(' ');
}

/** The first word that is no option of the program itself; options of the usual command may come without its name. */
function wantedBy(words: readonly string[], program: Program): string {
  const word = words[firstWordAt(words)];
  return word === undefined || word.startsWith('-') ? program.usual : known(word, program);
}

function known(word: string, { name, groups }: Program): string {
  const words = Object.values(groups).flatMap((group) => Object.keys(group));
  if (words.includes(word)) return word;
  const close = nearest(word, words) ?? words.find((each) => each.startsWith(word) || word.startsWith(each));
  const hint = close ? ` Did you mean "${name} ${close}"?` : '';
  throw wrong(`There is no command "${word}".${hint} "${name} --help" lists them all.`);
}

interface Globals {
  readonly workspace?: string;
  readonly database?: string;
  readonly json?: boolean;
  readonly thread?: string;
}

function contextOf(command: Command, program: Program, host: Host): Cli {
  const { workspace, database, json = false, thread } = command.optsWithGlobals<Globals>();
  return {
    host,
    program,
    directory: directoryAt(workspace ?? usualPlace()),
    database: database ?? (process.env.HEDDLE_DATABASE || undefined),
    thread,
    out: createOutput(json),
  };
}

/** Help and version come as errors, too. */
function usageOf({ code, exitCode, message }: CommanderError, called: string): Told | undefined {
  if (exitCode === 0) return undefined;
  const sentence = message
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\?\)$/, '. Did you mean "$1"?')
    .replace(/([^.?])$/, '$1.');
  // What commander says tells what is wrong, not what to do.
  const help = code.startsWith('commander.') ? ` "${called} --help" shows what it takes.` : '';
  return { code: 'usage', message: sentence.charAt(0).toUpperCase() + sentence.slice(1) + help, exit: EXIT.usage };
}

function tell({ code, message, details }: Told, json: boolean): void {
  const text = json ? JSON.stringify({ error: { ...details, code, message } }) : visible(asStarted(message));
  process.stderr.write(`${text}\n`);
}
