import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** What a program sees of the disk besides the system, which it may only read. */
export interface Sight {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** As PATH has it. */
  readonly path?: string | undefined;
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  readonly hidden?: readonly string[];
}

interface Mount {
  readonly path: string;
  readonly how: 'hide' | 'read' | 'write';
  /** What stands there instead, where it is not the path itself. */
  readonly source?: string;
}

/** Sockets of the session, of tmux and of containers are here: by any of them a program could act outside. */
const SHARED = ['/tmp', '/run', '/var/run'];
/** Needed to find other machines by name, and on some systems to find programs. */
const KEPT_OF_RUN = ['/run/systemd/resolve', '/run/nscd', '/run/current-system', '/run/opengl-driver'];
/** Root may write to these even without any capability. */
const KERNEL = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

const APART = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'];

/** The words between "bwrap" and the program. Paths only: anybody on the machine can read them. */
export function bwrapWords(sight: Sight): readonly string[] {
  const kernel = KERNEL.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [
    ...APART,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...kernel],
    ...mountsOf(sight).flatMap(wordsOf),
    ...['--chdir', realpathSync(sight.cwd), '--'],
  ];
}

/** Whatever lies deeper is mounted later, so that a visible place within a hidden one is seen and the other way round. */
function mountsOf({ cwd, home, path = '', readable = [], writable = [], hidden = [] }: Sight): readonly Mount[] {
  const mounts = new Map<string, Mount>();
  const put = (mount: Mount | undefined) => mount && mounts.set(mount.path, mount);
  for (const place of SHARED) put(mountOf(place, 'hide'));
  const seen = [...path.split(delimiter), ...readable, home ?? '', '/etc/resolv.conf'];
  for (const place of [...seen, ...seen.flatMap(targetOf)]) put(mountOf(place, 'read'));
  for (const place of writable) put(mountOf(place, 'write'));
  for (const place of hidden) put(mountOf(place, 'hide'));
  put(mountOf(cwd, 'write'));
  const all = [...mounts.values()];
  const kept = KEPT_OF_RUN.filter((place) => lstatSync(place, { throwIfNoEntry: false }));
  return [
    ...all.filter((mount) => isNeeded(mount, all)),
    ...kept.map((place) => ({ path: place, how: 'read' as const })),
  ].sort((one, other) => depth(one.path) - depth(other.path));
}

function mountOf(path: string, how: Mount['how']): Mount | undefined {
  if (!isAbsolute(path)) return undefined;
  try {
    const source = realpathSync(path);
    const place = how === 'read' ? join(realpathSync(dirname(path)), basename(path)) : source;
    return { path: place, how, ...(place !== source && { source }) };
  } catch {
    // What is not there needs no hiding, and cannot be shown.
    return undefined;
  }
}

/** Where a link leads to has to be seen, too. */
function targetOf(path: string): readonly string[] {
  try {
    return isAbsolute(path) ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

/** Everything can be read anyway, where nothing above it is hidden or may be written. */
function isNeeded({ path, how }: Mount, all: readonly Mount[]): boolean {
  return path !== sep && (how !== 'read' || all.some((other) => other.how !== 'read' && isBelow(path, other.path)));
}

function wordsOf({ path, how, source = path }: Mount): readonly string[] {
  if (how === 'write') return ['--bind', source, path];
  if (how === 'hide') return statSync(source).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
  const isLink = source === path && lstatSync(path).isSymbolicLink();
  return isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', source, path];
}

function isBelow(path: string, place: string): boolean {
  return path !== place && path.startsWith(place.endsWith(sep) ? place : place + sep);
}

function depth(path: string): number {
  return path.split(sep).length;
}
