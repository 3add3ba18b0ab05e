/** What an agent is asked: who it is, where, and what was said, each piece quoted as the words of whoever wrote it. */
export interface Question {
  readonly participant: string;
  readonly thread: string;
  readonly title: string;
  readonly prompt: string;
  /** What this agent calls the talk so far, where it has one. */
  readonly session?: string;
}

export interface Reply {
  readonly text: string;
  readonly session?: string;
  /** Whether it went on from what it knew. */
  readonly resumed: boolean;
  readonly usage?: Readonly<Record<string, string | number | boolean>>;
}

/** How one kind of program is run, and its output read. */
export interface Adapter {
  /** Its command, given what it is asked; the prompt goes in by standard input. */
  command(question: Question): { readonly command: readonly string[]; readonly input: string };
  /** Names of variables it may see. */
  readonly environment?: readonly string[];
  read(stdout: string, question: Question): Reply | { readonly failed: string };
}
