import { readFileSync } from 'node:fs';

/** Says how much of the processor other machines on the same host took meanwhile, where that is known and matters. */
export function watchTaken(): () => string {
  const before = ticks();
  return () => {
    const now = ticks();
    if (!before || !now) return '';
    const part = (now.taken - before.taken) / (now.all - before.all);
    return part < 0.01 ? '' : ` Others took ${(100 * part).toFixed(0)} % of the processor meanwhile.`;
  };
}

function ticks(): { readonly all: number; readonly taken: number } | undefined {
  try {
    const [, ...counts] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string).split(/\s+/);
    // user, nice, system, idle, iowait, irq, softirq, steal
    const [used = 0, nice = 0, system = 0, , , irq = 0, soft = 0, taken = 0] = counts.map(Number);
    return { all: used + nice + system + irq + soft + taken, taken };
  } catch {
    return undefined; // Only Linux says so.
  }
}
