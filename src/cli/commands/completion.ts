import type { Command } from 'commander';
import { own } from '../../core/own.ts';
import type { Cli } from '../cli.ts';
import { scripts } from '../completion-scripts.ts';
import { type Declare, examples } from '../declare.ts';
import { usage } from '../failure.ts';

export const declare: Declare = (command, start) => {
  const name = command.parent?.name();
  command
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      examples(
        `${name} completion bash > ~/.local/share/bash-completion/completions/${name}`,
        `${name} completion zsh > ~/.zfunc/_${name}`,
        `${name} completion fish > ~/.config/fish/completions/${name}.fish`,
      ),
    )
    .action((shell: string) => completion(start(), shell));
};

async function completion({ out, host, program }: Cli, shell: string): Promise<void> {
  const write = own(scripts, shell);
  if (!write) throw usage(`There is no completion for "${shell}", only for ${Object.keys(scripts).join(', ')}.`);
  const { commandOf } = await import('../program.ts');
  const script = write(program.name, choicesOf(await commandOf(program, 'all', host)));
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
