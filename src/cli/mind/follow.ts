import type { ThreadClient } from '../../client/index.ts';
import { RunStarted } from '../../core/dialogue/events.ts';
import { type Dialogue, type DialogueRun, iterationCount } from '../../core/dialogue/state.ts';
import type { DialogueRunView, IterationView } from '../../core/dialogue/view/schema.ts';
import { iterationView, statusView } from '../../core/dialogue/view/view.ts';
import { formatLink } from '../../core/link.ts';
import type { Cli } from '../cli.ts';
import { watchChanges } from '../connect/changes.ts';
import { askWithFailover, withWorker } from '../connect/client.ts';
import { createServerWatch } from '../connect/server-watch.ts';
import { EXIT, Failure } from '../failure.ts';
import { interruptSignal } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { followRun } from '../run/follow.ts';
import { createRunProgress } from '../run/progress.ts';
import { openThreadReader, type ThreadReader, withCurrentThread } from '../threads/reader.ts';
import { findContent, type ThreadCommandResult } from '../threads/send.ts';

export type DialogueReader = ThreadReader<Dialogue>;

export interface DialogueRunOutcome {
  readonly thread: string;
  readonly run: DialogueRunView;
  readonly dialogue: Dialogue;
}

export interface DialogueFollowOptions {
  /** Starts a run, or finds the one to follow. With `maxIterations`, the run ends after that many iterations. */
  begin(
    thread: ThreadClient,
    reader: DialogueReader,
  ): Promise<{ readonly run: number; readonly maxIterations?: number | undefined }>;
  onIteration(view: IterationView): void;
}

/**
 * Follows a mind's run to its end and prints what happens. The server does
 * the work, or this process without one.
 */
export function followMindRun(cli: Cli, { begin, onIteration }: DialogueFollowOptions): Promise<DialogueRunOutcome> {
  const signal = interruptSignal();
  return withCurrentThread(cli, async (readThread, _, readClient) => {
    const reader = await openThreadReader(readThread, 'dialogue');
    return withWorker(cli, async (client, server) => {
      const thread = client.thread(reader.id);
      const changes = watchChanges(cli, readClient, signal);
      const firstIter = iterationCount(reader.state);
      let shownIter = firstIter;
      try {
        const { run, maxIterations } = await begin(thread, reader);
        await followRun({
          ...{ changes, signal, thread, refresh: reader.refresh },
          assertServed: createServerWatch(cli, server),
          progress: createRunProgress(cli.out, 'iteration'),
          printNew(clear) {
            for (; shownIter < iterationCount(reader.state); shownIter++) {
              clear();
              onIteration(iterationView(reader.state, shownIter + 1) as IterationView);
            }
          },
          isRunning: () => isRunActive(reader.state.run, run),
          hasReachedLimit: () => maxIterations !== undefined && shownIter - firstIter >= maxIterations,
          stop: () =>
            askWithFailover(cli, client, (currentClient) => currentClient.thread(reader.id).command('stop_run', {})),
          showProgress: (progress) =>
            progress.show(statusView(reader.state).run as DialogueRunView, `Iteration ${shownIter + 1}`),
        });
        if (!server) await waitForClusters(reader, changes, signal);
        const { id, state } = reader;
        return { thread: id, run: statusView(state).run as DialogueRunView, dialogue: state };
      } finally {
        changes.close();
      }
    });
  });
}

/**
 * A run that cannot continue by itself is a failure, whatever it wrote before. So is a run with only failed iterations.
 * The failure gives the full reason and the command that shows the model's raw answer.
 */
export function runFailureOf({ thread, run, dialogue }: DialogueRunOutcome): Failure | undefined {
  const last = dialogue.iterations.at(-1)?.content;
  const isPaused = run.state === 'paused' && (run.reason === 'malformed' || run.reason === 'refused');
  const runIterations = dialogue.iterations.slice(-run.done).filter(({ content }) => content.run === run.run);
  const hasOnlyFailures =
    run.done > 0 && runIterations.every(({ content: { outcome } }) => outcome === 'malformed' || outcome === 'error');
  if (!isPaused && !hasOnlyFailures) return undefined;
  const raw = formatLink({ room: 'dialogue', thread, at: `iteration.${last?.iter}` });
  const why = oneLine((isPaused ? run.why : last?.problem) ?? '');
  const problem = isPaused ? `Run ${run.run} is paused: ${why}` : `Iteration ${last?.iter} failed: ${why}`;
  const code = isPaused ? 'run_paused' : 'iteration_failed';
  return new Failure(code, `${problem} See the raw answer: heddle explain "${raw}" --whole`, EXIT.failed, {
    reason: run.reason,
    iteration: last?.iter,
  });
}

/** The number of the run that a command started. */
export function startedRunOf(result: ThreadCommandResult): number {
  return findContent(result, RunStarted)?.run ?? 0;
}

function isRunActive(currentRun: DialogueRun | undefined, run: number): boolean {
  return currentRun?.run === run && currentRun.state === 'running';
}

const CLUSTERS_MS = 10_000;

/** Without a server, waits briefly until all thoughts are clustered. The next run clusters the rest. */
async function waitForClusters(reader: DialogueReader, changes: ReturnType<typeof watchChanges>, signal: AbortSignal) {
  const deadline = performance.now() + CLUSTERS_MS;
  while (!signal.aborted && performance.now() < deadline) {
    const nextChange = changes.next();
    await reader.refresh();
    const { clustered, pool } = reader.state;
    if (clustered >= pool.thoughts.length) return;
    await nextChange;
  }
}
