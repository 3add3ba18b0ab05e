import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SandboxMode, sandboxModes } from '../../models/registry/schema.ts';
import { bwrapArgs } from './bwrap.ts';
import { findProgram } from './find-program.ts';

/** The sandbox that programs started now get; `refused` if one is required and none is available. */
export interface ProgramSandbox {
  readonly kind: 'bwrap' | 'directory' | 'refused';
  /** One line to show next to an agent. */
  readonly sentence: string;
  /** Why there is no sandbox, and what to do about it. */
  readonly reason?: string;
  readonly todo?: string;
}

const PROBE_MS = 10_000;
const INSTALL = 'Install bubblewrap (the package "bubblewrap" of your system), then try again.';
let probeResult: Promise<MissingSandbox | undefined> | undefined;

/** Combines the settings with what this machine supports (I10). `HEDDLE_SANDBOX` outranks heddle.yaml. */
export async function detectSandbox(
  configuredMode: SandboxMode = 'auto',
  env: NodeJS.ProcessEnv = process.env,
): Promise<ProgramSandbox> {
  const mode = sandboxModes.find((each) => each === env.HEDDLE_SANDBOX) ?? configuredMode;
  const missingSandbox = mode === 'off' ? TURNED_OFF : await probe();
  if (!missingSandbox) return { kind: 'bwrap', sentence: 'Sandboxed: cannot see the workspace.' };
  if (mode === 'required')
    return {
      kind: 'refused',
      sentence: 'Will not start: a sandbox is required, but none is available.',
      ...missingSandbox,
    };
  return { kind: 'directory', sentence: 'Not sandboxed: runs as you, in a directory of its own.', ...missingSandbox };
}

interface MissingSandbox {
  readonly reason: string;
  readonly todo?: string;
}

const TURNED_OFF: MissingSandbox = {
  reason: 'The sandbox is turned off.',
  todo: 'Set "sandbox: auto" in heddle.yaml and unset HEDDLE_SANDBOX, unless you chose this.',
};

/** Caches a passed probe for this process. A failed one runs again: the missing part may be installed by then. */
async function probe(): Promise<MissingSandbox | undefined> {
  probeResult ??= runProbe();
  const missingSandbox = await probeResult;
  if (missingSandbox) probeResult = undefined;
  return missingSandbox;
}

export function forgetProbe(): void {
  probeResult = undefined;
}

/** Starts a test process the way programs are started and checks that it is really isolated. */
async function runProbe(): Promise<MissingSandbox | undefined> {
  if (process.platform !== 'linux') return { reason: 'bubblewrap, which keeps programs apart, runs on Linux only.' };
  const bwrap = findProgram('bwrap');
  if (bwrap === undefined) return { reason: 'bubblewrap (bwrap) is not installed.', todo: INSTALL };
  const probeDir = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  try {
    const [cwd, hidden] = ['cwd', 'hidden'].map((name) => join(probeDir, name)) as [string, string];
    mkdirSync(cwd);
    mkdirSync(hidden);
    writeFileSync(join(hidden, 'secret'), '');
    // In its own PID namespace it has a low process id. It must not see the hidden path and must be able to write to
    // its directory.
    const script = '[ "$$" -lt 100 ] && [ ! -e "$1" ] && : > written';
    const args = [...bwrapArgs({ cwd, hidden: [hidden] }), '/bin/sh', '-c', script, 'probe', join(hidden, 'secret')];
    const child = spawn(bwrap, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'], timeout: PROBE_MS });
    const exit = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    const [code, stderr] = await Promise.all([exit, text(child.stderr)]);
    return code === 0
      ? undefined
      : brokenSandbox(stderr.trim().split('\n')[0] || `it ended with ${code ?? 'a signal'}`);
  } catch (error) {
    return brokenSandbox((error as Error).message);
  } finally {
    rmSync(probeDir, { recursive: true, force: true });
  }
}

function brokenSandbox(why: string): MissingSandbox {
  return {
    reason: `bubblewrap is installed but does not work here: ${why.slice(0, 300)}.`,
    todo: 'Allow user namespaces for bwrap on this system (kernel, container or AppArmor settings), then try again.',
  };
}
