// Commands of the program in this process, on a test server's log: the same words, answers and exit codes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { CliHost } from '../../../src/cli/host.ts';
import { runCommandLine } from '../../../src/cli/program.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { openReader } from '../../../src/server/reader.ts';
import { directoryAt } from '../../../src/workspace/directory.ts';
import { removeServerFile, writeServerFile } from '../../../src/workspace/server-file.ts';
import type { TestServer } from '../servers/server.ts';

export interface CommandOutput {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `mind` or `logos` as whoever a token says; nothing is started, and no work is done. */
export function programOn(server: TestServer, name: 'mind' | 'logos') {
  const path = mkdtempSync(join(tmpdir(), 'heddle-program-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  // A process runs one command and ends; here its listeners stay.
  for (const emitter of [process, process.stdout]) emitter.setMaxListeners(0);
  let reads = 0;
  const { log: serverLog } = server.engine;
  const log: EventLog = {
    ...serverLog,
    readThread(...range) {
      reads++;
      return serverLog.readThread(...range);
    },
    close: async () => {},
  };
  const unused = (): never => {
    throw new Error('This host has only a log and a server.');
  };
  const host: CliHost = {
    version: 'test',
    openLog: async () => log,
    openServer: async () => ({
      fetch: server.app.fetch,
      credentials: server.credentials,
      startWork: () => {},
      listen: async () => ({ url: 'http://127.0.0.1:9', close: async () => {} }),
      close: async () => {},
    }),
    openReader: (...parts) => openReader(parts[0], { version: 'test', ...parts[1] }),
    ...{ mendLog: unused, checkLog: unused, planPull: unused, listOfferedModels: unused },
    ...{ programOf: unused, sandboxFor: unused, tryAgent: unused },
  };

  /** One command line; several at once would write over each other. */
  async function runs(words: readonly string[], token: string): Promise<CommandOutput> {
    const output = { out: '', err: '' };
    const capture = (to: 'out' | 'err') => (chunk: unknown) => {
      output[to] += String(chunk);
      return true;
    };
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(capture('out')),
      vi.spyOn(process.stderr, 'write').mockImplementation(capture('err')),
    ];
    vi.stubEnv('HEDDLE_TOKEN', token);
    const before = process.exitCode;
    try {
      // The database keeps it from looking for a file.
      await runCommandLine([...words, '--workspace', path, '--database', 'the test server’s'], host, name);
      return { code: Number(process.exitCode ?? 0), ...output };
    } finally {
      process.exitCode = before;
      vi.unstubAllEnvs();
      for (const spy of spies) spy.mockRestore();
    }
  }

  /** From now on commands find the server; returns how to hide it from them again. */
  async function serve(): Promise<() => Promise<void>> {
    const { url, close } = await listen({ app: { listener: server.app.listener, close: () => {} }, port: 0 });
    const { server: file } = directoryAt(path);
    writeServerFile(file, { url, page: url, pid: process.pid, log: 'PostgreSQL' });
    return async () => {
      removeServerFile(file, process.pid);
      await close();
    };
  }

  return { run: runs, serve, /** Pages of threads that commands have read from the log. */ reads: () => reads };
}
