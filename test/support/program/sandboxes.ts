// The two ways in which programs are started. A machine without a working bubblewrap tries only the second, and says so.
import { detectSandbox } from '../../../src/agents/program/sandbox.ts';
import type { SandboxMode } from '../../../src/models/registry/schema.ts';

// What whoever runs the tests has chosen is not what they are about.
delete process.env.HEDDLE_SANDBOX;
const { kind, reason } = await detectSandbox('auto', {});
export const hasBwrap = kind === 'bwrap';
if (!hasBwrap && process.platform === 'linux') process.stderr.write(`SKIPPED: programs in a sandbox. ${reason}\n`);

export interface Way {
  readonly way: 'bwrap' | 'directory';
  readonly sandbox: SandboxMode;
}

export const ways: readonly Way[] = [
  ...(hasBwrap ? [{ way: 'bwrap', sandbox: 'required' } as const] : []),
  { way: 'directory', sandbox: 'off' },
];
