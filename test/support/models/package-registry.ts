import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach } from 'vitest';

/** A package registry over a real socket. */
export interface Registry {
  readonly url: string;
  /** Archives that were asked for so far. */
  readonly downloads: number;
  /** The same, by name of the package. */
  readonly requested: readonly string[];
  /** Packages of which only the first half comes. */
  readonly halting: Set<string>;
  close(): Promise<void>;
}

export function startRegistry(name: string, version: string, archive: Buffer): Promise<Registry> {
  return startPackages({ [name]: { version, archive } });
}

export async function startPackages(
  packages: Readonly<Record<string, { readonly version: string; readonly archive: Buffer }>>,
): Promise<Registry> {
  const requested: string[] = [];
  const halting = new Set<string>();
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url ?? '').slice(1);
    const archived = name.replace(/\.tgz$/, '');
    const found = packages[archived];
    if (!found) response.writeHead(404).end('{}');
    else if (name === archived) {
      const { version, archive } = found;
      const dist = {
        tarball: `${url}/${name}.tgz`,
        integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
      };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { name, version, dist } } }),
      );
    } else {
      requested.push(archived);
      if (halting.has(archived)) response.write(found.archive.subarray(0, found.archive.length / 2));
      else response.end(found.archive);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    get downloads() {
      return requested.length;
    },
    requested,
    halting,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A compressed tar archive of those files, in that order. */
export function tarball(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, content]) => {
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write('0000644\0', 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('        0', 148);
    header.write('ustar\x0000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** A registry and an empty cache for each test; npm asks this registry and no other. */
export function setUpRegistry(
  start: () => Promise<Registry>,
  onStart: (opened: { readonly registry: Registry; readonly cache: string }) => void,
): void {
  beforeEach(async () => {
    const cache = mkdtempSync(join(tmpdir(), 'heddle-cache-'));
    const registry = await start();
    const before = process.env.npm_config_registry;
    process.env.npm_config_registry = registry.url;
    onStart({ registry, cache });
    return async () => {
      await registry.close();
      rmSync(cache, { recursive: true, force: true });
      if (before === undefined) delete process.env.npm_config_registry;
      else process.env.npm_config_registry = before;
    };
  });
}
