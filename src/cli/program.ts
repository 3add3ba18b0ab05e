import { Command, CommanderError } from 'commander';
import { directoryAt, usualPlace } from '../workspace/directory.ts';
import type { Cli } from './cli.ts';
import type { Declare } from './declare.ts';
import { EXIT, type Told, toldOf } from './failure.ts';
import type { Host } from './host.ts';
import { createOutput } from './output.ts';
import { visible } from './text.ts';

interface Entry {
  readonly summary: string;
  load(): Promise<{ declare: Declare }>;
}

const groups: Record<string, Record<string, Entry>> = {
  'Start here': {
    serve: {
      summary: 'start the server and open the page (what "heddle" alone does)',
      load: () => import('./commands/serve.ts'),
    },
    doctor: {
      summary: 'check that everything is in order, and say what to do',
      load: () => import('./commands/doctor.ts'),
    },
  },
  Talk: {
    threads: { summary: 'list, begin, fork or rename threads', load: () => import('./commands/threads.ts') },
    post: { summary: 'write a message to a thread', load: () => import('./commands/post.ts') },
    read: { summary: 'show what was written in a thread', load: () => import('./commands/read.ts') },
    tail: { summary: 'follow a thread, or everything, as it happens', load: () => import('./commands/tail.ts') },
    who: { summary: 'show who is in a thread, and who is there now', load: () => import('./commands/who.ts') },
    invite: { summary: 'invite a participant to a thread', load: () => import('./commands/invite.ts') },
    control: {
      summary: 'mute, pause, prod, mark done and other controls',
      load: () => import('./commands/control.ts'),
    },
    side: { summary: 'open or close a side channel', load: () => import('./commands/side.ts') },
  },
  Keep: {
    verify: { summary: 'prove that no event was changed, added or lost', load: () => import('./commands/verify.ts') },
    export: { summary: 'write a thread or the workspace as JSON Lines', load: () => import('./commands/export.ts') },
    import: { summary: 'bring in what was exported', load: () => import('./commands/import.ts') },
    backup: {
      summary: 'write a consistent copy of the workspace, also while it is used',
      load: () => import('./commands/backup.ts'),
    },
    restore: { summary: 'make an empty workspace what a backup says', load: () => import('./commands/restore.ts') },
    rebuild: {
      summary: 'make everything that is derived from the log anew',
      load: () => import('./commands/rebuild.ts'),
    },
  },
  'Set up': {
    models: {
      summary: 'list, add and try models; what they have used',
      load: () => import('./commands/models.ts'),
    },
    token: { summary: 'print, issue, list or revoke credentials', load: () => import('./commands/token.ts') },
    completion: {
      summary: 'print a script that completes commands in your shell',
      load: () => import('./commands/completion.ts'),
    },
  },
};
const entries = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));

/** Runs one command line and sets the exit code (C6). */
export async function run(words: readonly string[], host: Host): Promise<void> {
  const json = words.includes('--json');
  try {
    const program = await programFor(wantedBy(words), host);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    const told = error instanceof CommanderError ? usageOf(error) : toldOf(error);
    if (told) tell(told, json);
    process.exitCode = told?.exit ?? EXIT.done;
  }
}

/** Only the wanted command's file is loaded; of the others, commander needs to know the name. */
export async function programFor(wanted: string | 'all', host: Host): Promise<Command> {
  const program = new Command('heddle')
    .description('A workspace where people and language models talk and write together, on one append-only log.')
    .option('--workspace <dir>', 'where the workspace is (or HEDDLE_WORKSPACE; default: your data directory)')
    .option('--database <url>', 'a PostgreSQL database in the place of the file (or HEDDLE_DATABASE)')
    .option('--json', 'answer in JSON')
    .version(host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: termOf })
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', '\n"heddle COMMAND --help" shows what a command takes, with examples.');
  for (const [heading, group] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const [name, entry] of Object.entries(group)) {
      const command = program.command(name, { isDefault: name === 'serve' }).description(entry.summary);
      if (name !== wanted && wanted !== 'all') continue;
      const { declare } = await entry.load();
      declare(command, () => contextOf(command, host));
    }
  }
  return program;
}

/** A command in a list: its name and what it cannot do without. */
function termOf(command: Command): string {
  const needed = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...needed.map((each) => `<${each.name()}${each.variadic ? '...' : ''}>`)].join(' ');
}

const WITH_VALUE = ['--workspace', '--database'];

/** The first word that is no option of the program itself; options of "serve" may come without its name. */
function wantedBy(words: readonly string[]): string {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (WITH_VALUE.includes(word)) i++;
    else if (word === '--json' || WITH_VALUE.some((name) => word.startsWith(`${name}=`))) continue;
    else return word.startsWith('-') ? 'serve' : known(word);
  }
  return 'serve';
}

function known(word: string): string {
  if (entries.has(word)) return word;
  const close = [...entries.keys()].find((name) => name.startsWith(word) || word.startsWith(name));
  const hint = close ? ` Did you mean "heddle ${close}"?` : '';
  throw new CommanderError(
    EXIT.usage,
    'unknown',
    `There is no command "${word}".${hint} "heddle --help" lists them all.`,
  );
}

function contextOf(command: Command, host: Host): Cli {
  const {
    workspace,
    database,
    json = false,
  } = command.optsWithGlobals<{ workspace?: string; database?: string; json?: boolean }>();
  return {
    host,
    directory: directoryAt(workspace ?? usualPlace()),
    database: database ?? (process.env.HEDDLE_DATABASE || undefined),
    out: createOutput(json),
  };
}

/** Help and version come as errors, too. */
function usageOf({ exitCode, message }: CommanderError): Told | undefined {
  if (exitCode === 0) return undefined;
  const sentence = message.replace(/^error: /, '').replace(/([^.?])$/, '$1.');
  return { code: 'usage', message: sentence.charAt(0).toUpperCase() + sentence.slice(1), exit: EXIT.usage };
}

function tell({ code, message, details }: Told, json: boolean): void {
  const text = json ? JSON.stringify({ error: { ...details, code, message } }) : visible(message);
  process.stderr.write(`${text}\n`);
}
