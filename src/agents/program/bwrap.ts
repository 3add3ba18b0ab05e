import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** The part of the disk a program sees besides the system, which is read-only. */
export interface SandboxView {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** Directories in the format of PATH. */
  readonly path?: string | undefined;
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  readonly hidden?: readonly string[];
}

interface SandboxMount {
  readonly path: string;
  readonly how: 'hide' | 'read' | 'write';
  /** The path to mount there, if it differs from `path`. */
  readonly source?: string;
}

/** These hold sockets of the session, of tmux and of containers, through which a program could act outside. */
const SHARED_DIRS = ['/tmp', '/run', '/var/run'];
/** Needed for DNS lookups, and on some systems to find programs. */
const KEPT_RUN_DIRS = ['/run/systemd/resolve', '/run/nscd', '/run/current-system', '/run/opengl-driver'];
/** Root may write to these even without any capability. */
const KERNEL_PATHS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

const ISOLATION_ARGS = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'];

/** The arguments between "bwrap" and the program. Paths only: anybody on the machine can read them. */
export function bwrapArgs(view: SandboxView): readonly string[] {
  const kernelArgs = KERNEL_PATHS.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [
    ...ISOLATION_ARGS,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...kernelArgs],
    ...mountsOf(view).flatMap(mountArgs),
    ...['--chdir', realpathSync(view.cwd), '--'],
  ];
}

/**
 * Mounts sorted by depth, so that a visible path inside a hidden one stays visible, and a hidden path inside a visible
 * one stays hidden.
 */
function mountsOf({
  cwd,
  home,
  path = '',
  readable = [],
  writable = [],
  hidden = [],
}: SandboxView): readonly SandboxMount[] {
  const mounts = new Map<string, SandboxMount>();
  const addMount = (mount: SandboxMount | undefined) => mount && mounts.set(mount.path, mount);
  for (const dir of SHARED_DIRS) addMount(mountOf(dir, 'hide'));
  const visiblePaths = [...path.split(delimiter), ...readable, home ?? '', '/etc/resolv.conf'];
  for (const dir of [...visiblePaths, ...visiblePaths.flatMap(linkTargets)]) addMount(mountOf(dir, 'read'));
  for (const dir of writable) addMount(mountOf(dir, 'write'));
  for (const dir of hidden) addMount(mountOf(dir, 'hide'));
  addMount(mountOf(cwd, 'write'));
  const all = [...mounts.values()];
  const keptDirs = KEPT_RUN_DIRS.filter((dir) => lstatSync(dir, { throwIfNoEntry: false }));
  return [
    ...all.filter((mount) => isNeeded(mount, all)),
    ...keptDirs.map((dir) => ({ path: dir, how: 'read' as const })),
  ].sort((one, other) => depthOf(one.path) - depthOf(other.path));
}

function mountOf(path: string, how: SandboxMount['how']): SandboxMount | undefined {
  if (!isAbsolute(path)) return undefined;
  try {
    const source = realpathSync(path);
    const mountPath = how === 'read' ? join(realpathSync(dirname(path)), basename(path)) : source;
    return { path: mountPath, how, ...(mountPath !== source && { source }) };
  } catch {
    // A missing path needs no hiding and cannot be shown.
    return undefined;
  }
}

/** The targets of symbolic links must be visible, too. */
function linkTargets(path: string): readonly string[] {
  try {
    return isAbsolute(path) ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

/** A read-only mount is needed only below a hidden or writable path: everything else is readable anyway. */
function isNeeded({ path, how }: SandboxMount, all: readonly SandboxMount[]): boolean {
  return path !== sep && (how !== 'read' || all.some((other) => other.how !== 'read' && isBelow(path, other.path)));
}

function mountArgs({ path, how, source = path }: SandboxMount): readonly string[] {
  if (how === 'write') return ['--bind', source, path];
  if (how === 'hide') return statSync(source).isDirectory() ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
  const isLink = source === path && lstatSync(path).isSymbolicLink();
  return isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', source, path];
}

function isBelow(path: string, parent: string): boolean {
  return path !== parent && path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}

function depthOf(path: string): number {
  return path.split(sep).length;
}
