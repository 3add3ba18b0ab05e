import { Command } from 'commander';
import { readCurrency } from '../workspace/settings/currency.ts';
import type { Cli } from './cli.ts';

/** Declares a command's arguments, options and action. */
export type DeclareCommand = (command: CliCommand) => void;

/** A command whose action receives the context, and whose help ends with examples. */
export class CliCommand extends Command {
  readonly #getCli: () => Cli;

  constructor(name: string | undefined, getCli: () => Cli) {
    super(name);
    this.#getCli = getCli;
    this.helpCommand(false);
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#getCli);
  }

  /** Sets the action: it gets the context, the arguments and the options. */
  run(action: (cli: Cli, ...args: never[]) => void | Promise<void>): this {
    return this.action(async (...args) => {
      const cli = this.#getCli();
      const out = { ...cli.out, currency: await readCurrency(cli.directory.settings) };
      await action({ ...cli, out }, ...(args as never[]));
    });
  }

  examples(...lines: readonly string[]): this {
    return this.footnote(`Examples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }

  footnote(text: string): this {
    return this.addHelpText('after', `\n${text}`);
  }
}
