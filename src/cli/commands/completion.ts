import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { getOwn } from '../../core/util/get-own.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { completionScripts } from '../completion/scripts.ts';
import { withLog } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { oneLine } from '../output/text.ts';
import { listThreadsInLog } from '../threads/find.ts';

export const declare: DeclareCommand = (command) => {
  const name = command.parent?.name();
  command
    .argument('<shell>', 'bash, zsh or fish; or "titles", which prints the titles of threads for these scripts')
    .examples(
      `${name} completion bash > ~/.local/share/bash-completion/completions/${name}`,
      `${name} completion zsh > ~/.zfunc/_${name}`,
      `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
    )
    .run((cli, shell: string) => (shell === 'titles' ? printTitles(cli) : printCompletion(cli, shell)));
};

/** Pressing Tab must neither print an error nor create a workspace. */
async function printTitles(cli: Cli): Promise<void> {
  const { out, directory, database, program } = cli;
  if (database === undefined && !existsSync(directory.database)) return;
  const rows = await withLog(cli, listThreadsInLog).catch(() => []);
  const kind = program.target?.kind;
  const titles = new Set(rows.filter((row) => kind === undefined || row.kind === kind).map(({ title }) => title));
  // A title that is not one line of plain text cannot be typed in a shell.
  out.lines([...titles].filter((title) => title === oneLine(title)));
}

async function printCompletion({ out, host, program }: Cli, shell: string): Promise<void> {
  const createScript = getOwn(completionScripts, shell);
  if (!createScript)
    throw usageError(`There is no completion for "${shell}", only for ${Object.keys(completionScripts).join(', ')}.`);
  // Completing a title, on every press of Tab, needs none of this.
  const [{ buildCommand: commandOf }, { threadKinds }] = await Promise.all([
    import('../program.ts'),
    import('../../core/modes.ts'),
  ]);
  const root = await commandOf(program, 'all', host);
  const script = createScript(program.name, choicesOf(root), pathsWithTitle(root, ['thread', ...threadKinds]));
  out.answer({ shell, script }, script);
}

/** The subcommands and options of each command, keyed by the command path. */
function choicesOf(program: Command): ReadonlyMap<string, readonly CompletionChoice[]> {
  const choices = new Map<string, readonly CompletionChoice[]>();
  const globalOptions = optionsOf(program);
  const visit = (command: Command, path: string) => {
    const commands = command.commands.map((each) => ({ word: each.name(), about: each.description() }));
    const options = command === program ? globalOptions : [...optionsOf(command), ...globalOptions];
    choices.set(path, [...commands, ...options, { word: '--help', about: 'show help' }]);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, '');
  return choices;
}

/** The paths of the commands whose first argument is a thread, named as such or by its kind. */
function pathsWithTitle(program: Command, threadArguments: readonly string[]): readonly string[] {
  const paths: string[] = [];
  const visit = (command: Command, path: string) => {
    if (threadArguments.includes(command.registeredArguments[0]?.name() ?? '')) paths.push(path);
    for (const each of command.commands) visit(each, `${path} ${each.name()}`.trim());
  };
  visit(program, '');
  return paths;
}

function optionsOf(command: Command): CompletionChoice[] {
  return command.options.map(({ long, short, description }) => ({
    word: (long ?? short) as string,
    about: description,
  }));
}

export interface CompletionChoice {
  readonly word: string;
  readonly about: string;
}
