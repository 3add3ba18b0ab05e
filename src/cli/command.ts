import { Command } from 'commander';
import type { Cli } from './cli.ts';

/** Declares a command's arguments, options and action. `getCli` returns the context that every command receives. */
export type DeclareCommand = (command: CliCommand, getCli: () => Cli) => void;

/** A command whose help ends with examples. */
export class CliCommand extends Command {
  constructor(name?: string) {
    super(name);
    this.helpCommand(false);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  examples(...lines: readonly string[]): this {
    return this.footnote(`Examples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }

  footnote(text: string): this {
    return this.addHelpText('after', `\n${text}`);
  }
}
