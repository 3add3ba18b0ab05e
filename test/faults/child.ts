import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program of ours in a process of its own, that tells of itself in JSON lines. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line it prints; rejects when it ends without one. */
  next(): Promise<unknown>;
  readonly ended: Promise<number | NodeJS.Signals>;
  /** What it has written to standard error so far. */
  complaint(): string;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  running.add(child);
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve(signal ?? code ?? 1);
    });
  });
  return {
    process: child,
    ended,
    complaint: () => complaint,
    async next() {
      const line = await lines.next();
      if (line.done) throw new Error(`${file} ended (${await ended}) and said: ${complaint || 'nothing'}`);
      return JSON.parse(line.value);
    },
  };
}
