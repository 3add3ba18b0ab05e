// A disk can be filled only where one may mount a small one: as root, in most places.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether `mountSmallDisk` works here. */
export function mayMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'heddle-disk-'));
  const mounted = mount(probe);
  if (mounted) unmount(probe);
  rmSync(probe, { recursive: true });
  return mounted;
}

/** A directory with room for 4 MB, gone when the test ends. */
export function mountSmallDisk(): string {
  const path = mkdtempSync(join(tmpdir(), 'heddle-disk-'));
  mount(path);
  onTestFinished(() => {
    unmount(path);
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

/** Until not even a byte fits. */
export function fillDisk(file: string): void {
  const fd = openSync(file, 'w');
  try {
    for (let size = 1024 * 1024; size >= 1; ) {
      try {
        writeSync(fd, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(fd);
  }
}

function mount(path: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path]).status === 0;
}

function unmount(path: string): void {
  spawnSync('umount', ['-l', path]);
}
