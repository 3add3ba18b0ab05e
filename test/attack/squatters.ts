import { readdirSync, readFileSync } from 'node:fs';
import type { House } from './house.ts';
import { SQUATTER_MARK } from './programs.ts';

/** Programs that agents left behind and that are still there though the server has ended. They are ended here. */
export async function checkSquatters({ path, report }: House): Promise<void> {
  const mark = `${SQUATTER_MARK}-${path}`;
  for (const pid of processes()) {
    if (!commandLine(pid).includes(mark)) continue;
    report.add('a program that an agent left behind outlived the server', commandLine(pid).slice(0, 200), 'programs');
    process.kill(pid, 'SIGKILL');
  }
}

/** Only where the system tells; elsewhere this finds nothing. */
function processes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
