import type { Agent, Caps, NoReply, Question, Reply } from './agent.ts';
import { type Ran, runProgram } from './program/run-program.ts';

/** How one kind of program is asked by its command line and read by its output. */
export interface Adapter {
  readonly environment: readonly string[];
  /** Places where it keeps what it needs to go on, and others it was given. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** Its command, given what it is asked; the prompt goes in by standard input. */
  command(question: Question): { readonly command: readonly string[]; readonly input: string };
  read(stdout: string, question: Question, stderr: string): Reply | NoReply;
}

/** An agent that is started anew for every question. */
export function byProgram(adapter: Adapter): Agent {
  const { environment, readable = [], writable = [] } = adapter;
  return {
    environment,
    async ask(question, circumstances) {
      const { command, input } = adapter.command(question);
      const { caps } = circumstances;
      const ran = await runProgram({ command, environment, readable, writable }, input, circumstances).catch((error) =>
        notStarted(command[0] ?? '', error),
      );
      if ('failed' in ran) return ran;
      if (ran.why === 'cancelled') return { cancelled: true };
      if (ran.why === 'time') return tooLong(caps);
      if (ran.why === 'unreadable') return UNREADABLE;
      const reply = adapter.read(ran.stdout, question, ran.stderr);
      if ('cancelled' in reply) return reply;
      if (ran.why === 'output') return 'failed' in reply || reply.text === '' ? tooMuch(caps) : { ...reply, cut: true };
      if ('failed' in reply) return { ...reply, failed: told(reply.failed, ran) };
      return ran.code === 0 ? reply : { failed: told('', ran) };
    },
  };
}

export const UNREADABLE = { failed: 'Its output could not be read, so it was ended.' } as const;

export function notStarted(name: string, error: unknown): { readonly failed: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return { failed: `The program "${name}" was not found. Install it, or correct its command in heddle.yaml.` };
  return { failed: `The program "${name}" could not be started: ${message}.` };
}

export function tooLong({ seconds }: Caps): { readonly failed: string } {
  return { failed: `It took longer than ${seconds} seconds and was ended.` };
}

export function tooMuch({ bytes }: Caps): { readonly failed: string } {
  return { failed: `It wrote more than ${bytes} bytes and was ended.` };
}

/** What it said of its end, and what it complained about. */
export function told(said: string, { code, stderr }: Pick<Ran, 'code' | 'stderr'>): string {
  const ended = code === 0 ? '' : `It ended with ${code === null ? 'a signal' : `code ${code}`}.`;
  return [ended, said, stderr.trim().slice(-500)].filter(Boolean).join(' ') || 'It ended without an answer.';
}
