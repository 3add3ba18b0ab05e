import { refuse } from '../../core/refusal.ts';
import { unknownCredential } from '../../log/credential.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { AuthSession } from '../http/edge.ts';
import { faultLine, refusalOf } from '../http/errors.ts';
import { type InboundRequest, STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { RouteContext } from '../routes/context.ts';

type WorkPhase = Extract<WorkLine, { doing: unknown }>['doing'];
type WriteLine<Line> = (line: Line) => void;

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

/** Streams what long work says as lines. The work stops if the client leaves or loses its credential. */
export function createWorkLines<Line extends object>({ engine, credentials, stopping, report }: RouteContext) {
  return function streamWork(
    { inbound, session: { token, credential } }: WorkCaller,
    run: (writeLine: WriteLine<Line>, signal: AbortSignal) => Promise<Line>,
  ): typeof STREAMING {
    const disconnect = new AbortController();
    const revocation = credentials.revocation(token, credential);
    const signal = AbortSignal.any([disconnect.signal, stopping, revocation]);
    const sink = inbound.stream(JSONL_HEADERS, () => disconnect.abort());
    const writeLine = (line: object) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
    run(writeLine, signal)
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
      return refuse('store_unavailable', 'The server was stopped. Send the request again for the rest.').refusal;
    if (!signal.aborted) report(faultLine(error));
    return { code: 'internal', message: 'The server had an internal error; see the server’s output.' };
  }
}

/** Writes the progress of a phase, a few lines a second. */
export function progressWriter(writeLine: WriteLine<WorkLine>, doing: WorkPhase) {
  let lastReport = performance.now();
  return (done: number, total: number) => {
    if (performance.now() - lastReport < PROGRESS_INTERVAL_MS) return;
    lastReport = performance.now();
    writeLine({ doing, done, total });
  };
}
