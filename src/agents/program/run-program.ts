import type { AgentRunOptions } from '../agent.ts';
import { createByteBuffer } from './byte-buffer.ts';
import { type AgentProgram, type ProgramExit, startCappedProgram, toReadableText } from './capped-program.ts';

export interface ProgramResult extends ProgramExit {
  readonly stdout: string;
}

export async function runProgram(
  program: AgentProgram,
  input: string,
  runOptions: AgentRunOptions,
): Promise<ProgramResult> {
  const output = createByteBuffer();
  const { stdin, exit } = await startCappedProgram(program, runOptions, output.push);
  stdin.end(input);
  const result = await exit;
  return { ...result, stdout: toReadableText(output.take()) };
}
