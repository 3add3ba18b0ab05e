import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { own } from '../../core/util/get-own.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { scripts } from '../completion/scripts.ts';
import { withLog } from '../connect/client.ts';
import { usage } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { threadsOfLog } from '../threads/find.ts';

export const declare: Declare = (command, start) => {
  const name = command.parent?.name();
  command
    .argument('<shell>', 'bash, zsh or fish; or "titles", which prints the titles of threads for these scripts')
    .addHelpText(
      'after',
      examples(
        `${name} completion bash > ~/.local/share/bash-completion/completions/${name}`,
        `${name} completion zsh > ~/.zfunc/_${name}`,
        `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
      ),
    )
    .action((shell: string) => (shell === 'titles' ? printTitles(start()) : completion(start(), shell)));
};

/** Nobody who presses a key wants an error, or a workspace made. */
async function printTitles(cli: Cli): Promise<void> {
  const { out, directory, database, program } = cli;
  if (database === undefined && !existsSync(directory.database)) return;
  const rows = await withLog(cli, threadsOfLog).catch(() => []);
  const kind = program.onThread?.kind;
  const titles = new Set(rows.filter((row) => kind === undefined || row.kind === kind).map(({ title }) => title));
  // A title that is not one line of plain text cannot be typed in a shell.
  for (const title of titles) if (title === oneLine(title)) out.line(title);
}

async function completion({ out, host, program }: Cli, shell: string): Promise<void> {
  const write = own(scripts, shell);
  if (!write) throw usage(`There is no completion for "${shell}", only for ${Object.keys(scripts).join(', ')}.`);
  const { commandOf } = await import('../program.ts');
  const all = await commandOf(program, 'all', host);
  const script = write(program.name, choicesOf(all), pathsWithTitle(all));
  if (out.json) out.value({ shell, script });
  else out.line(script);
}

/** What may follow each command: its subcommands and options, by the words that lead to it. */
function choicesOf(program: Command): ReadonlyMap<string, readonly Choice[]> {
  const choices = new Map<string, readonly Choice[]>();
  const shared = optionsOf(program);
  const visit = (command: Command, path: string) => {
    const commands = command.commands.map((each) => ({ word: each.name(), about: each.description() }));
    const options = command === program ? shared : [...optionsOf(command), ...shared];
    choices.set(path, [...commands, ...options, { word: '--help', about: 'show what it takes' }]);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, '');
  return choices;
}

/** What a command calls the thread it takes first. */
const THREAD_WORDS = ['thread', 'loom', 'dialogue', 'exchange'];

/** The commands that take a thread before anything else, by the words that lead to them. */
function pathsWithTitle(program: Command): readonly string[] {
  const paths: string[] = [];
  const visit = (command: Command, path: string) => {
    if (THREAD_WORDS.includes(command.registeredArguments[0]?.name() ?? '')) paths.push(path);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, '');
  return paths;
}

function optionsOf(command: Command): Choice[] {
  return command.options.map(({ long, short, description }) => ({
    word: (long ?? short) as string,
    about: description,
  }));
}

export interface Choice {
  readonly word: string;
  readonly about: string;
}
