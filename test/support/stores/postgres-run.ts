import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPostgres, type TestServer } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresStarter: string;
  }
}

let server: Promise<TestServer> | undefined;

const starter = createServer(async (_, response) => {
  server ??= startPostgres();
  try {
    response.end((await server).url);
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});

/**
 * One PostgreSQL server per test run, started when the first test asks: test
 * files run in processes of their own, so they ask at a loopback address.
 */
export async function setup(project: TestProject): Promise<void> {
  await new Promise<void>((resolve) => starter.listen(0, '127.0.0.1', resolve));
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
}

export async function teardown(): Promise<void> {
  starter.close();
  await server?.then((running) => running.stop()).catch(() => {});
}
