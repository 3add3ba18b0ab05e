import { refuse } from '../../core/refusal.ts';
import { unknownCredential } from '../../log/credential.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { AuthSession } from '../http/edge.ts';
import { faultLine, refusalOf } from '../http/errors.ts';
import { type InboundRequest, STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { RouteContext } from '../routes/context.ts';

type WorkPhase = Extract<WorkLine, { doing: unknown }>['doing'];
/** Creates the progress callback for one phase. */
export type ProgressFactory = (phase: WorkPhase) => (done: number, total: number) => void;

const JSONL_HEADERS = {
  ...DATA_HEADERS,
  'content-type': 'application/jsonl; charset=utf-8',
  'x-accel-buffering': 'no',
};
const PROGRESS_INTERVAL_MS = 200;

interface WorkCaller {
  readonly inbound: InboundRequest;
  readonly session: AuthSession;
}

/** Streams the progress of long work as lines. The work stops if the client leaves or loses its credential. */
export function createWorkLines({ engine, credentials, stopping, report }: RouteContext) {
  return function streamWork(
    { inbound, session: { token, credential } }: WorkCaller,
    run: (progressOf: ProgressFactory, signal: AbortSignal) => Promise<WorkLine>,
  ): typeof STREAMING {
    const disconnect = new AbortController();
    const revocation = credentials.revocation(token, credential);
    const signal = AbortSignal.any([disconnect.signal, stopping, revocation]);
    const sink = inbound.stream(JSONL_HEADERS, () => disconnect.abort());
    const writeLine = (line: object) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
    let lastReport = performance.now();
    const progressOf: ProgressFactory = (phase) => (done, total) => {
      if (performance.now() - lastReport < PROGRESS_INTERVAL_MS) return;
      lastReport = performance.now();
      writeLine({ doing: phase, done, total });
    };
    run(progressOf, signal)
      .then(writeLine, (error) =>
        writeLine({ error: revocation.aborted ? unknownCredential().refusal : errorOf(error, signal) }),
      )
      .catch((error) => report(faultLine(error)))
      .finally(() => sink.end());
    return STREAMING;
  };

  function errorOf(error: unknown, signal: AbortSignal): object {
    const refusal = refusalOf(error);
    if (refusal) return refusal.refusal;
    if (stopping.aborted)
      return refuse('store_unavailable', 'The server was stopped. Send it again for the rest.').refusal;
    if (!signal.aborted) report(faultLine(error));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
}
