import { type ChildProcess, fork } from 'node:child_process';
import { workerFile } from '../../../platform/worker-file.ts';
import { createWorkerRequests, type ModelWorker, type WorkerRequest, type WorkerRequests } from '../worker-requests.ts';
import type { FromChild, LargerModelData, LargerModelTask } from './child.ts';

interface RunningProcess {
  readonly process: ChildProcess;
  readonly requests: WorkerRequests<LargerModelTask>;
  /** Set while a request is pending. */
  silenceTimer?: NodeJS.Timeout | undefined;
}

const CHILD_FILE = workerFile(import.meta.url, './child.ts', 'local-model.js');
/** Only these variables are passed on: the library must not see keys. */
const FORWARDED_ENV = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH'];

/**
 * The process that holds the model: started when first needed, and restarted after it is lost. After `maxSilenceMs`
 * without a message, it is considered hung.
 */
export function createModelProcess(data: LargerModelData, maxSilenceMs: number): ModelWorker<LargerModelTask> {
  let running: RunningProcess | undefined;

  function ensureStarted(): RunningProcess {
    if (running) return running;
    const env = Object.fromEntries(
      FORWARDED_ENV.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    const child: RunningProcess = {
      process: fork(CHILD_FILE, [JSON.stringify(data)], {
        env,
        execArgv: [],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
      requests: createWorkerRequests((message) => post(child, message)),
    };
    child.process.on('message', (message: FromChild) => receive(child, message));
    child.process.on('error', (error) => dropProcess(child, error));
    child.process.on('exit', (code, signal) =>
      dropProcess(child, new Error(`its process ended (${signal ?? `code ${code}`})`)),
    );
    running = child;
    return child;
  }

  function receive(child: RunningProcess, message: FromChild): void {
    if (message.type === 'failed') dropProcess(child, new Error(`it failed (${message.why})`));
    if (message.type === 'count' || message.type === 'chunks') child.requests.deliver(message);
    updateTimer(child);
  }

  function post(child: RunningProcess, message: WorkerRequest<LargerModelTask>): void {
    // A process that is just exiting is detected by its exit event.
    child.process.send(message, () => {});
    updateTimer(child, message.type !== 'cancel');
  }

  /** The process keeps the program alive, and is watched, only while a request is pending. */
  function updateTimer(child: RunningProcess, isNew = false): void {
    const isBusy = child.requests.pendingCount() > 0;
    if (isBusy && isNew && child.silenceTimer) return;
    clearTimeout(child.silenceTimer);
    child.silenceTimer = undefined;
    if (!isBusy) {
      child.process.unref();
      child.process.channel?.unref();
      return;
    }
    child.process.ref();
    child.process.channel?.ref();
    child.silenceTimer = setTimeout(() => {
      dropProcess(child, new Error(`it did not respond for ${maxSilenceMs / 1000} s`));
    }, maxSilenceMs);
  }

  function dropProcess(child: RunningProcess, error: Error): void {
    if (running === child) running = undefined;
    clearTimeout(child.silenceTimer);
    child.process.kill('SIGKILL');
    child.requests.fail(error);
  }

  return {
    complete: (task, listener) => ensureStarted().requests.complete(task, listener),
    countTokens: (text) => ensureStarted().requests.countTokens(text),
    async close() {
      const child = running;
      if (!child) return;
      const exited = new Promise((resolve) => child.process.once('exit', resolve));
      child.process.ref();
      dropProcess(child, new Error('it was closed'));
      await exited;
    },
  };
}
