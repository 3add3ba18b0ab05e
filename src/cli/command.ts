import type { Command } from 'commander';
import type { Cli } from './cli.ts';

/** A command's file declares what it takes and what it does; `getCli` gives it what every command is given. */
export type DeclareCommand = (command: Command, getCli: () => Cli) => void;

/** What every command's help ends with. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
