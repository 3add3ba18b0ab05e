import type { ClientEntry } from '../../src/models/registry/schema.ts';

/** Programs that a human has configured as agents, and that mean no good. Their source is in the command itself. */
export const PROGRAMS = ['thief', 'squatter', 'flood'] as const;
type ProgramName = (typeof PROGRAMS)[number];

/** What the thief’s answer begins with; SHA-256 of every file it could read follows. */
export const LOOT = 'loot:';
/** Found in the command line of whoever outlives the server. */
export const SQUATTER_MARK = 'heddle-attack-squatter';
const SQUATTER_MS = 60_000;

const HEARD = `let text = ''; for await (const chunk of process.stdin) text += chunk;`;

/** Looks for the human's token where it lay so far, and where it can know that it lies. */
const thief = (workspace: string) => `${HEARD}
  const { readFileSync } = await import('node:fs');
  const { createHash } = await import('node:crypto');
  const places = ['token', '../token', '../../token', '../../../token', '../../server.json', ${JSON.stringify(`${workspace}/token`)},
    ${JSON.stringify(`${workspace}/heddle.db`)}, '/proc/' + process.ppid + '/cwd/token', '/proc/' + process.ppid + '/environ'];
  const loot = {};
  for (const place of places) {
    try { loot[place] = createHash('sha256').update(readFileSync(place, 'utf8').trim()).digest('hex'); } catch {}
  }
  console.log(${JSON.stringify(LOOT)} + JSON.stringify(loot));`;

/** Leaves somebody behind, in a group of its own, who does not mind being asked to go. */
const squatter = (workspace: string) => `${HEARD}
  const { spawn } = await import('node:child_process');
  const stay = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setTimeout(() => {}, ${SQUATTER_MS})";
  spawn(process.execPath, ['-e', stay, ${JSON.stringify(`${SQUATTER_MARK}-${workspace}`)}], { detached: true, stdio: 'ignore' }).unref();
  console.log('Here I am.');`;

const flood = () => `${HEARD}
  process.stdout.on('error', () => process.exit());
  const lots = 'flood '.repeat(20_000);
  const write = () => { while (process.stdout.write(lots)); process.stdout.once('drain', write); };
  write();`;

const SOURCES: Record<ProgramName, (workspace: string) => string> = { thief, squatter, flood };

export function clientsFor(workspace: string): Record<string, ClientEntry> {
  const entries = PROGRAMS.map((name): [string, ClientEntry] => [
    name,
    {
      adapter: 'command',
      command: [process.execPath, '--input-type=module', '-e', SOURCES[name](workspace)],
      seconds: 10,
    },
  ]);
  return Object.fromEntries(entries);
}
