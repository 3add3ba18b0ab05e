import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ClientSettings } from './agent.ts';

type Vendor = 'claude' | 'codex' | 'gemini';

/** Where each keeps its settings, its sign-in and its sessions: the variable that says so, else below the home directory. */
const OWN: Record<
  Vendor,
  { readonly variable: string; readonly directory: string; readonly files?: readonly string[] }
> = {
  claude: { variable: 'CLAUDE_CONFIG_DIR', directory: '.claude', files: ['.claude.json'] },
  codex: { variable: 'CODEX_HOME', directory: '.codex' },
  gemini: { variable: 'GEMINI_CLI_HOME', directory: '.gemini' },
};
const VENDORS = Object.keys(OWN) as readonly Vendor[];

/** What a client reads and writes in a sandbox: its own, and what heddle.yaml names. */
export function ownPlaces({ adapter, readable = [], writable = [] }: ClientSettings): {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
} {
  // Any program may be one of these underneath; of the others it has none.
  const vendors = VENDORS.filter((each) => each === adapter || adapter === 'acp' || adapter === 'command');
  const own = vendors.flatMap((vendor) => placesOf(vendor, vendor === adapter));
  return { readable: readable.map(atHome), writable: [...own, ...writable.map(atHome)] };
}

function placesOf(vendor: Vendor, isCertain: boolean): readonly string[] {
  const { variable, directory, files = [] } = OWN[vendor];
  const place = process.env[variable] || join(homedir(), directory);
  const others = files.map((file) => join(homedir(), file));
  // Its own directory is made where it is missing, as it would itself at its first start.
  return [...(isCertain ? [place] : []), ...[place, ...others].filter((path) => existsSync(path))];
}

function atHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
}
