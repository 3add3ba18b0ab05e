// What package-lock.json must hold so that a clone installs on every platform Heddle is for.

export interface Platform {
  readonly os: string;
  readonly cpu: string;
}

export const PLATFORMS: readonly Platform[] = [
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'linux', cpu: 'x64' },
  { os: 'win32', cpu: 'x64' },
];

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** What is wrong with a lock file: a package of another platform that is missing, unproved, or tied to one registry. */
export function lockProblems(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, locked]) => [
    ...Object.keys(locked.optionalDependencies ?? {})
      .filter((name) => find(packages, path, name) === undefined)
      .map((name) => `${path || 'package.json'} wants ${name}, which package-lock.json lacks.`),
    ...(path !== '' && locked.integrity === undefined ? [`${path} has no checksum.`] : []),
    ...(locked.resolved === undefined ? [] : [`${path} names a registry.`]),
  ]);
}

/** The paths of the packages that are made for a platform. */
export function packagesFor({ os, cpu }: Platform, packages: LockedPackages): readonly string[] {
  return Object.entries(packages)
    .filter(([, locked]) => locked.cpu?.includes(cpu) && (locked.os?.includes(os) ?? false))
    .map(([path]) => path);
}

/** As Node finds it: in the package's own node_modules, then in those around it. */
function find(packages: LockedPackages, from: string, name: string): LockedPackage | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('node_modules/') - 1, 0))) {
    const found = packages[place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`];
    if (found || place === '') return found;
  }
}
