import type { WorkspaceDirectory } from '../workspace/directory.ts';
import type { CliHost } from './host.ts';
import type { TerminalOutput } from './output/output.ts';
import type { Program } from './program.ts';

/** What every command is given: where it works, with what, and where its words go. */
export interface Cli {
  readonly host: CliHost;
  readonly program: Program;
  readonly directory: WorkspaceDirectory;
  /** A PostgreSQL database in the place of the workspace's own file. */
  readonly database: string | undefined;
  /** The thread that was named with --thread. */
  readonly thread: string | undefined;
  readonly out: TerminalOutput;
}
