import type { Circumstances } from '../agent.ts';
import { createBytes } from './byte-buffer.ts';
import { type Ended, type Program, readable, startCapped } from './capped-program.ts';

export interface Ran extends Ended {
  readonly stdout: string;
}

/** Runs a program to its end, or to ours. */
export async function runProgram(program: Program, input: string, circumstances: Circumstances): Promise<Ran> {
  const out = createBytes();
  const { stdin, ended } = await startCapped(program, circumstances, out.push);
  stdin.end(input);
  const end = await ended;
  return { ...end, stdout: readable(out.take()) };
}
