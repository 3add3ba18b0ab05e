import { type ChildProcess, fork } from 'node:child_process';
import { workerFile } from '../../../platform/worker-file.ts';
import { createWaiting, type Listener, type Waiting } from '../pending-requests.ts';
import type { Asked, ChildData, FromChild, ToChild } from './protocol.ts';

/** The process that has the model: started when first needed, and again after it was lost. */
export interface Host {
  /** Hands over a request; `receive` gets what comes of it, and `fail` instead if the process is lost. */
  complete(asked: Asked, listener: Listener): { cancel(): void };
  countTokens(text: string): Promise<number>;
  close(): Promise<void>;
}

interface Running {
  readonly process: ChildProcess;
  readonly waiting: Waiting;
  /** Set while someone waits for it. */
  silence?: NodeJS.Timeout | undefined;
}

const FILE = workerFile(import.meta.url, './child.ts', 'local-model.js');
/** Keys and the like are none of the library's business. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH'];

/** `silentMs`: after so long without a sign of it, it is taken to hang. */
export function createHost(data: ChildData, silentMs: number): Host {
  let running: Running | undefined;
  let ids = 0;

  function complete(asked: Asked, listener: Listener): { cancel(): void } {
    const child = started();
    const id = ++ids;
    child.waiting.request(id, listener);
    post(child, { type: 'complete', id, ...asked });
    return { cancel: () => child.waiting.isOpen(id) && post(child, { type: 'cancel', id }) };
  }

  function countTokens(text: string): Promise<number> {
    const child = started();
    const id = ++ids;
    const counted = child.waiting.count(id);
    post(child, { type: 'count', id, text });
    return counted;
  }

  function started(): Running {
    if (running) return running;
    const env = Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
    const child: Running = {
      process: fork(FILE, [JSON.stringify(data)], { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
      waiting: createWaiting(),
    };
    child.process.on('message', (message: FromChild) => hear(child, message));
    child.process.on('error', (error) => lose(child, error));
    child.process.on('exit', (code, signal) =>
      lose(child, new Error(`its process ended (${signal ?? `code ${code}`})`)),
    );
    running = child;
    return child;
  }

  function hear(child: Running, message: FromChild): void {
    if (message.type === 'failed') lose(child, new Error(`it failed (${message.why})`));
    if (message.type === 'count' || message.type === 'chunks') child.waiting.hear(message);
    watch(child);
  }

  function post(child: Running, message: ToChild): void {
    // One that is just ending is noticed by its exit.
    child.process.send(message, () => {});
    watch(child, message.type !== 'cancel');
  }

  /** It keeps the program alive, and is watched, only while someone waits for it. */
  function watch(child: Running, isNew = false): void {
    const isBusy = child.waiting.size() > 0;
    if (isBusy && isNew && child.silence) return;
    clearTimeout(child.silence);
    child.silence = undefined;
    if (!isBusy) {
      child.process.unref();
      child.process.channel?.unref();
      return;
    }
    child.process.ref();
    child.process.channel?.ref();
    child.silence = setTimeout(() => {
      lose(child, new Error(`it gave no sign of life for ${silentMs / 1000} s`));
    }, silentMs);
  }

  function lose(child: Running, error: Error): void {
    if (running === child) running = undefined;
    clearTimeout(child.silence);
    child.process.kill('SIGKILL');
    child.waiting.fail(error);
  }

  return {
    complete,
    countTokens,
    async close() {
      const child = running;
      if (!child) return;
      const ended = new Promise((resolve) => child.process.once('exit', resolve));
      child.process.ref();
      lose(child, new Error('it was closed'));
      await ended;
    },
  };
}
