import type { Agent, AgentCaps, AgentFailure, AgentQuestion, AgentReply } from './agent.ts';
import { createByteBuffer } from './program/byte-buffer.ts';
import { type ProgramExit, startCappedProgram, toReadableText } from './program/capped-program.ts';

/** Builds the command line for one kind of program and parses its output. */
export interface ProgramAdapter {
  readonly environment: readonly string[];
  /** Paths the program needs to resume a session, and others that settings grant it. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  /** The command for a question; the prompt goes to standard input. */
  command(question: AgentQuestion): { readonly command: readonly string[]; readonly input: string };
  read(stdout: string, question: AgentQuestion, stderr: string): AgentReply | AgentFailure;
}

/** An agent that starts a new process for every question. */
export function createProgramAgent(adapter: ProgramAdapter): Agent {
  const { environment, readable = [], writable = [] } = adapter;
  return {
    environment,
    async ask(question, runOptions) {
      const { command, input } = adapter.command(question);
      const { caps } = runOptions;
      const output = createByteBuffer();
      const program = { command, environment, readable, writable };
      const started = await startCappedProgram(program, runOptions, output.push).catch((error) =>
        startFailure(command[0] ?? '', error),
      );
      if ('failed' in started) return started;
      started.stdin.end(input);
      const result = await started.exit;
      if (result.endReason === 'cancelled') return { cancelled: true };
      if (result.endReason === 'time') return timeoutFailure(caps);
      if (result.endReason === 'unreadable') return UNREADABLE_FAILURE;
      const reply = adapter.read(toReadableText(output.take()), question, result.stderr);
      if ('cancelled' in reply) return reply;
      if (result.endReason === 'output')
        return 'failed' in reply || reply.text === '' ? outputLimitFailure(caps) : { ...reply, cut: true };
      if ('failed' in reply) return { ...reply, failed: describeExit(reply.failed, result) };
      return result.code === 0 ? reply : { failed: describeExit('', result) };
    },
  };
}

export const UNREADABLE_FAILURE = { failed: 'Its output could not be read, so Heddle ended it.' } as const;

export function startFailure(name: string, error: unknown): { readonly failed: string } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return { failed: `The program "${name}" was not found. Install it, or correct its command in heddle.yaml.` };
  return { failed: `The program "${name}" could not be started: ${message}.` };
}

export function timeoutFailure({ seconds }: AgentCaps): { readonly failed: string } {
  return { failed: `It took longer than ${seconds} seconds, so Heddle ended it.` };
}

export function outputLimitFailure({ bytes }: AgentCaps): { readonly failed: string } {
  return { failed: `It wrote more than ${bytes} bytes, so Heddle ended it.` };
}

/** Describes why a program failed: its message, its exit code and its error output. */
export function describeExit(message: string, { code, stderr }: Pick<ProgramExit, 'code' | 'stderr'>): string {
  const exitText = code === 0 ? '' : `It ended with ${code === null ? 'a signal' : `code ${code}`}.`;
  return [exitText, message, stderr.trim().slice(-500)].filter(Boolean).join(' ') || 'It ended without an answer.';
}
