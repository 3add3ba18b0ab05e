import type { Client } from '../../client/index.ts';
import { type Dialogue, iterOf, type Run } from '../../core/dialogue/state.ts';
import { type IterationView, iterationView, type RunView, statusView } from '../../core/dialogue/view/view.ts';
import { addressOfLink } from '../../core/link.ts';
import type { Cli } from '../cli.ts';
import { evenIfMoved, withWorker } from '../connect/client.ts';
import { createServerWatch } from '../connect/server-watch.ts';
import { createWakes } from '../connect/wakes.ts';
import { EXIT, Failure } from '../failure.ts';
import { untilInterrupted } from '../output/progress.ts';
import { oneLine } from '../output/text.ts';
import { followWork } from '../run/follow.ts';
import { createRunProgress } from '../run/progress.ts';
import type { Done } from '../threads/send.ts';
import { type Reading, withDialogue } from './reader.ts';

type Thread = ReturnType<Client['thread']>;

export interface Followed {
  readonly thread: string;
  readonly run: RunView;
  readonly dialogue: Dialogue;
}

export interface FollowOptions {
  /** Begins a run, or finds the one to follow; the run is ended after `most` iterations when they are given. */
  begin(thread: Thread, reading: Reading): Promise<{ readonly run: number; readonly most?: number | undefined }>;
  onIteration(view: IterationView): void;
}

/**
 * Lets a mind think until its run is over, and tells what comes. The work is
 * the server's, or this process's own.
 */
export function follow(cli: Cli, { begin, onIteration }: FollowOptions): Promise<Followed> {
  const signal = untilInterrupted();
  return withDialogue(cli, (reading, log) =>
    withWorker(cli, async (client, server) => {
      const thread = client.thread(reading.id);
      const wakes = createWakes(cli, log, signal);
      const first = iterOf(reading.dialogue);
      let told = first;
      try {
        const { run, most } = await begin(thread, reading);
        await followWork({
          ...{ wakes, signal, thread, refresh: reading.refresh },
          mustBeServed: createServerWatch(cli, server),
          progress: createRunProgress(cli.out, 'iteration'),
          tell(clear) {
            for (; told < iterOf(reading.dialogue); told++) {
              clear();
              onIteration(iterationView(reading.dialogue, told + 1) as IterationView);
            }
          },
          goesOn: () => goesOn(reading.dialogue.run, run),
          enough: () => most !== undefined && told - first >= most,
          stop: () => evenIfMoved(cli, client, (reached) => reached.thread(reading.id).command('stop_run', {})),
          show: (progress) => progress.show(statusView(reading.dialogue).run as RunView, `Iteration ${told + 1}`),
        });
        if (!server) await untilClustered(reading, wakes, signal);
        const { id, dialogue } = reading;
        return { thread: id, run: statusView(dialogue).run as RunView, dialogue };
      } finally {
        wakes.close();
      }
    }),
  );
}

/**
 * A run that will not go on by itself is a failure, whatever it wrote before; so is one of which nothing came. The whole
 * reason, and where to see what the model sent.
 */
export function failureOf({ thread, run, dialogue }: Followed): Failure | undefined {
  const last = dialogue.iterations.at(-1)?.content;
  const isHeld = run.state === 'paused' && (run.reason === 'malformed' || run.reason === 'refused');
  const came = dialogue.iterations.slice(-run.done).filter(({ content }) => content.run === run.run);
  const isVain =
    run.done > 0 && came.every(({ content: { outcome } }) => outcome === 'malformed' || outcome === 'error');
  if (!isHeld && !isVain) return undefined;
  const raw = addressOfLink({ room: 'dialogue', thread, at: `iteration.${last?.iter}` });
  const why = oneLine((isHeld ? run.why : last?.problem) ?? '');
  const what = isHeld ? `Run ${run.run} is paused: ${why}` : `Iteration ${last?.iter} failed: ${why}`;
  const code = isHeld ? 'run_paused' : 'iteration_failed';
  return new Failure(code, `${what} See the raw answer: heddle explain "${raw}" --whole`, EXIT.failed, {
    reason: run.reason,
    iteration: last?.iter,
  });
}

/** The number of the run that a command began. */
export function runBegun({ events }: Done): number {
  const begun = events.find(({ type }) => type === 'run.started');
  return (begun?.content as { readonly run?: number } | undefined)?.run ?? 0;
}

function goesOn(current: Run | undefined, run: number): boolean {
  return current?.run === run && current.state === 'running';
}

const CLUSTERS_MS = 10_000;

/** Where only this process works: what was thought finds its place before it ends, or else at the next run. */
async function untilClustered(reading: Reading, wakes: ReturnType<typeof createWakes>, signal: AbortSignal) {
  const late = performance.now() + CLUSTERS_MS;
  while (!signal.aborted && performance.now() < late) {
    const woken = wakes.next();
    await reading.refresh();
    const { clustered, pool } = reading.dialogue;
    if (clustered >= pool.thoughts.length) return;
    await woken;
  }
}
