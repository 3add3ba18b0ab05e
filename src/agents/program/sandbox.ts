import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type SandboxMode, sandboxModes } from '../../models/registry/schema.ts';
import { bwrapWords } from './bwrap.ts';
import { programAt } from './find-program.ts';

/** What holds for programs that are started here now; `refused` where a sandbox is required and there is none. */
export interface Sandbox {
  readonly kind: 'bwrap' | 'directory' | 'refused';
  /** One line for people who look at an agent. */
  readonly sentence: string;
  /** Why there is no sandbox, and what to do about it. */
  readonly reason?: string;
  readonly todo?: string;
}

const PROBE_MS = 10_000;
const INSTALL = 'Install bubblewrap (the package "bubblewrap" of your system), then try again.';
let passed: Promise<Missing | undefined> | undefined;

/** What the settings and this machine come to (I10). `HEDDLE_SANDBOX` outranks heddle.yaml. */
export async function sandboxFor(
  setting: SandboxMode = 'auto',
  env: NodeJS.ProcessEnv = process.env,
): Promise<Sandbox> {
  const mode = sandboxModes.find((each) => each === env.HEDDLE_SANDBOX) ?? setting;
  const missing = mode === 'off' ? TURNED_OFF : await probe();
  if (!missing) return { kind: 'bwrap', sentence: 'Sandboxed: cannot see the workspace.' };
  if (mode === 'required')
    return { kind: 'refused', sentence: 'Will not start: a sandbox is required, and there is none here.', ...missing };
  return { kind: 'directory', sentence: 'Not sandboxed: runs as you, in a directory of its own.', ...missing };
}

interface Missing {
  readonly reason: string;
  readonly todo?: string;
}

const TURNED_OFF: Missing = {
  reason: 'The sandbox is turned off.',
  todo: 'Set "sandbox: auto" in heddle.yaml and unset HEDDLE_SANDBOX, unless you chose this.',
};

/** Once it has passed it is not run again in this process; what is missing may be installed meanwhile. */
async function probe(): Promise<Missing | undefined> {
  passed ??= runProbe();
  const missing = await passed;
  if (missing) passed = undefined;
  return missing;
}

/** The next start looks again. */
export function forgetProbe(): void {
  passed = undefined;
}

/** Starts something as programs are started and looks whether it is really apart. */
async function runProbe(): Promise<Missing | undefined> {
  if (process.platform !== 'linux') return { reason: 'bubblewrap, which keeps programs apart, runs on Linux only.' };
  const bwrap = programAt('bwrap');
  if (bwrap === undefined) return { reason: 'bubblewrap (bwrap) is not installed.', todo: INSTALL };
  const place = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  try {
    const [cwd, hidden] = ['cwd', 'hidden'].map((name) => join(place, name)) as [string, string];
    mkdirSync(cwd);
    mkdirSync(hidden);
    writeFileSync(join(hidden, 'secret'), '');
    // In a world of its own it is one of the first processes, does not see what is hidden, and can write where it works.
    const look = '[ "$$" -lt 100 ] && [ ! -e "$1" ] && : > written';
    const words = [...bwrapWords({ cwd, hidden: [hidden] }), '/bin/sh', '-c', look, 'probe', join(hidden, 'secret')];
    const child = spawn(bwrap, words, { env: {}, stdio: ['ignore', 'ignore', 'pipe'], timeout: PROBE_MS });
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
    const [code, complaint] = await Promise.all([ended, text(child.stderr)]);
    return code === 0 ? undefined : broken(complaint.trim().split('\n')[0] || `it ended with ${code ?? 'a signal'}`);
  } catch (error) {
    return broken((error as Error).message);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function broken(why: string): Missing {
  return {
    reason: `bubblewrap is installed but does not work here: ${why.slice(0, 300)}.`,
    todo: 'Allow user namespaces for bwrap on this system (kernel, container or AppArmor settings), then try again.',
  };
}
