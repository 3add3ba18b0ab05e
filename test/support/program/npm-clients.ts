// Programs of others that are too large for every test run: installed once, where nobody's own are.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What each takes, measured: megabytes on the disk. */
const PACKAGES = {
  claude: { package: '@anthropic-ai/claude-code', version: '2.1.325', megabytes: 350 },
  codex: { package: '@openai/codex', version: '0.166.0', megabytes: 436 },
  gemini: { package: '@google/gemini-cli', version: '0.61.0', megabytes: 100 },
  'mcp-inspector': { package: '@modelcontextprotocol/inspector', version: '2.12.0', megabytes: 110 },
  conformance: { package: '@modelcontextprotocol/conformance', version: '0.1.16', megabytes: 51 },
} as const;
export type ClientName = keyof typeof PACKAGES;

/** `HEDDLE_REAL_CLIENTS=1`: the tests with programs from npm run, and install them. */
export const withRealClients = process.env.HEDDLE_REAL_CLIENTS === '1';

export function whyNot(...names: readonly ClientName[]): string {
  const size = names.reduce((sum, name) => sum + PACKAGES[name].megabytes, 0);
  return `SKIPPED: ${names.join(', ')} (${size} MB from npm). HEDDLE_REAL_CLIENTS=1 runs them.`;
}

/** The path of the program, installed if it was not; throws with npm's words where it cannot be had. */
export function clientPath(name: ClientName): string {
  const { package: wanted, version } = PACKAGES[name];
  const place = join(tmpdir(), 'heddle-clients', `${name}-${version}`);
  if (!existsSync(place)) install(place, `${wanted}@${version}`);
  return join(place, 'node_modules/.bin', name);
}

function install(place: string, what: string) {
  const draft = `${place}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    writeFileSync(join(draft, 'package.json'), '{"private": true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', what], { cwd: draft, stdio: 'pipe' });
    renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
