import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What a server under measurement has used so far. */
export interface Used {
  readonly cpuMicros: number;
  readonly syncs: number;
  readonly events: number;
  readonly rss: number;
  /** Since it was last asked. */
  readonly longestStallMs?: number;
}

/** Where to post, and as whom. */
export interface Address {
  readonly port: number;
  readonly token: string;
  readonly thread: string;
  /** A token of an agent, where there is one. */
  readonly agent?: string;
}

export interface Server extends Address {
  used(): Promise<Used>;
  stop(): Promise<void>;
}

/** Starts a server that reports over IPC, so that asking costs no request. */
export async function startServer(file: string, args: readonly string[]): Promise<Server> {
  const child: ChildProcess = fork(file, args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [ready] = await once(child, 'message');
  return {
    ...(ready as Address),
    async used() {
      child.send('used');
      const [answer] = await once(child, 'message');
      return answer as Used;
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** The other side: answers what this process has used. */
export function answerCpu(counts: () => { syncs: number; events: number; longestStallMs?: number }) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, rss: process.memoryUsage.rss(), ...counts() });
  });
}
