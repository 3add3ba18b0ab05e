import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientEntry } from '../models/registry/schema.ts';

type AgentVendor = 'claude' | 'codex' | 'gemini';

/** Each vendor's directory of settings, sign-in and sessions: named by a variable, else below the home directory. */
const VENDOR_PATHS: Record<
  AgentVendor,
  { readonly variable: string; readonly directory: string; readonly files?: readonly string[] }
> = {
  claude: { variable: 'CLAUDE_CONFIG_DIR', directory: '.claude', files: ['.claude.json'] },
  codex: { variable: 'CODEX_HOME', directory: '.codex' },
  gemini: { variable: 'GEMINI_CLI_HOME', directory: '.gemini' },
};
const VENDORS = Object.keys(VENDOR_PATHS) as readonly AgentVendor[];

/** Paths a client may read and write in a sandbox: its own, and those that heddle.yaml names. */
export function clientPaths({ adapter, readable = [], writable = [] }: ClientEntry): {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
} {
  // An ACP or custom command may wrap any vendor's program; a vendor's adapter needs only its own paths.
  const vendors = VENDORS.filter((each) => each === adapter || adapter === 'acp' || adapter === 'command');
  const ownPaths = vendors.flatMap((vendor) => vendorPaths(vendor, vendor === adapter));
  return { readable: readable.map(expandHome), writable: [...ownPaths, ...writable.map(expandHome)] };
}

function vendorPaths(vendor: AgentVendor, isRequired: boolean): readonly string[] {
  const { variable, directory, files = [] } = VENDOR_PATHS[vendor];
  const configDir = process.env[variable] || join(homedir(), directory);
  const otherFiles = files.map((file) => join(homedir(), file));
  // The vendor's own directory is created if missing, as its first start would do.
  return [...(isRequired ? [configDir] : []), ...[configDir, ...otherFiles].filter((path) => existsSync(path))];
}

function expandHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
