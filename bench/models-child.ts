import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import type { Address } from './child.ts';

/** A server with models in it, that can be told to use them. */
export interface ModelsServer extends Address {
  tell(deed: 'generate' | 'rest' | 'embed'): Promise<{ readonly rss: number }>;
  stop(): Promise<void>;
}

export async function startModelsServer(path: string): Promise<ModelsServer> {
  const child = fork('bench/models-server.ts', [path], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const [ready] = await once(child, 'message');
  return {
    ...(ready as Address),
    async tell(deed) {
      const answers = on(child, 'message');
      child.send({ do: deed });
      for await (const [answer] of answers) if (answer.did === deed) return answer;
      throw new Error('The server ended.');
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
