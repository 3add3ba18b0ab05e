import type { Circumstances } from './agent.ts';
import { type Ended, type Program, readable, startProgram } from './process.ts';

export interface Ran extends Ended {
  readonly stdout: string;
}

/** Runs a program to its end, or to ours. */
export async function runProgram(program: Program, input: string, circumstances: Circumstances): Promise<Ran> {
  const out: Buffer[] = [];
  const { stdin, ended } = startProgram(program, circumstances, (chunk) => out.push(chunk));
  stdin.end(input);
  const end = await ended;
  return { ...end, stdout: readable(Buffer.concat(out).toString('utf8')) };
}
