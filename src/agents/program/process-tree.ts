import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/*
 * A program may start others that leave its process group and outlive it. On Linux they are found by who their parent is
 * and by a mark in their environment, which children inherit; elsewhere only the process group is ended.
 */
export const MARK_VARIABLE = 'HEDDLE_PROGRAM';

let markCount = 0;

/** Names this process so that a later one can tell whether it is gone, and the program among those it started. */
export function newMark(): string {
  return [pidNamespace(), process.pid, startTimeOf(process.pid) ?? '', ++markCount].join('.');
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  sendSignal(-pid, signal);
}

/** Looks again until nobody new is found: whoever forks while it is looked for is found the next time. */
export function killMarked(mark: string): void {
  killAll(() => listProcesses().filter((pid) => markOf(pid) === mark));
}

/** Ends what servers that were killed have left running. */
export function killOrphans(): void {
  killAll(() => listProcesses().filter((pid) => isOrphan(markOf(pid))));
}

/** Everything below a process, those nearest to it first. */
export function descendantsOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const each of listProcesses()) {
    const parent = Number(statOf(each)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  const found = [...(children.get(pid) ?? [])];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

const MAX_ROUNDS = 20;

function killAll(find: () => readonly number[]): void {
  const killed = new Set<number>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = find().filter((pid) => !killed.has(pid));
    if (found.length === 0) return;
    for (const pid of found) {
      killed.add(pid);
      sendSignal(pid, 'SIGKILL');
    }
  }
}

/** Its server was in the same world of processes as we are, and is gone. */
function isOrphan(mark: string | undefined): boolean {
  const [markNamespace, pid, start] = mark?.split('.') ?? [];
  return (
    markNamespace !== undefined &&
    markNamespace === pidNamespace() &&
    markNamespace !== '' &&
    startTimeOf(Number(pid)) !== start
  );
}

function listProcesses(): readonly number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid);
  } catch {
    return [];
  }
}

/** Only of one's own processes, which is all that is needed. */
function markOf(pid: number): string | undefined {
  const variable = readIfPresent(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return variable?.slice(MARK_VARIABLE.length + 1);
}

function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** What stands behind its name, which may have any character in it: state, parent and so on. */
function statOf(pid: number): readonly string[] | undefined {
  const stat = readIfPresent(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return '';
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
