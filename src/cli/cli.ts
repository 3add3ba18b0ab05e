import type { WorkspaceDirectory } from '../workspace/directory.ts';
import type { CliHost } from './host.ts';
import type { TerminalOutput } from './output/output.ts';
import type { Program } from './program.ts';

/** The context every command receives: its workspace, its host and its output. */
export interface Cli {
  readonly host: CliHost;
  readonly program: Program;
  readonly directory: WorkspaceDirectory;
  /** A PostgreSQL database to use instead of the workspace's own file. */
  readonly database: string | undefined;
  /** The value of --thread. */
  readonly thread: string | undefined;
  readonly out: TerminalOutput;
}
