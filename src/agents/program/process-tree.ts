import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/*
 * A program may start others that leave its process group and outlive it. On Linux we find them by their parent and by
 * a mark in their environment, which children inherit. Elsewhere we end only the process group.
 */
export const MARK_VARIABLE = 'HEDDLE_PROGRAM';

let markCount = 0;

/** A mark that names this process, so that a later one can tell whether it is gone, and one program it started. */
export function newMark(): string {
  return [pidNamespace(), process.pid, startTimeOf(process.pid) ?? '', ++markCount].join('.');
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  sendSignal(-pid, signal);
}

/** Repeats the search until it finds no new process: a process that forks during one search is caught by the next. */
export function killMarked(mark: string): void {
  killAll(() => listProcesses().filter((pid) => markOf(pid) === mark));
}

/** Ends programs left running by servers that were killed. */
export function killOrphans(): void {
  killAll(() => listProcesses().filter((pid) => isOrphan(markOf(pid))));
}

/** All descendants of a process, nearest first. */
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
    // The process is already gone.
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

/** Whether the server that started the program ran in our PID namespace and is gone. */
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

/** Works only for our own user's processes, which is all we need. */
function markOf(pid: number): string | undefined {
  const variable = readIfPresent(`/proc/${pid}/environ`)
    ?.split('\0')
    .find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return variable?.slice(MARK_VARIABLE.length + 1);
}

function startTimeOf(pid: number): string | undefined {
  return statOf(pid)?.[19];
}

/** The fields after the process name, which may contain any character: state, parent and so on. */
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
