import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/** What a program sees of the disk besides the system, which it may only read. */
export interface SandboxView {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** As PATH has it. */
  readonly path?: string | undefined;
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  readonly hidden?: readonly string[];
}

interface SandboxMount {
  readonly path: string;
  readonly how: 'hide' | 'read' | 'write';
  /** What stands there instead, where it is not the path itself. */
  readonly source?: string;
}

/** Sockets of the session, of tmux and of containers are here: by any of them a program could act outside. */
const SHARED_DIRS = ['/tmp', '/run', '/var/run'];
/** Needed to find other machines by name, and on some systems to find programs. */
const KEPT_RUN_DIRS = ['/run/systemd/resolve', '/run/nscd', '/run/current-system', '/run/opengl-driver'];
/** Root may write to these even without any capability. */
const KERNEL_PATHS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

const ISOLATION_ARGS = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent', '--cap-drop', 'ALL'];

/** The words between "bwrap" and the program. Paths only: anybody on the machine can read them. */
export function bwrapArgs(view: SandboxView): readonly string[] {
  const kernelArgs = KERNEL_PATHS.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]);
  return [
    ...ISOLATION_ARGS,
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...kernelArgs],
    ...mountsOf(view).flatMap(mountArgs),
    ...['--chdir', realpathSync(view.cwd), '--'],
  ];
}

/** Whatever lies deeper is mounted later, so that a visible place within a hidden one is seen and the other way round. */
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
    // What is not there needs no hiding, and cannot be shown.
    return undefined;
  }
}

/** Where a link leads to has to be seen, too. */
function linkTargets(path: string): readonly string[] {
  try {
    return isAbsolute(path) ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

/** Everything can be read anyway, where nothing above it is hidden or may be written. */
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
