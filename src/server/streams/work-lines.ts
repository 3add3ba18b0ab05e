import { refuse } from '../../core/refusal.ts';
import { notKnown } from '../../log/credential.ts';
import type { WorkLine } from '../../protocol/wire.ts';
import type { Session } from '../http/edge.ts';
import { faultLine, refusalOf } from '../http/errors.ts';
import { type Inbound, STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import type { Parts } from '../routes/context.ts';

type Doing = Extract<WorkLine, { doing: unknown }>['doing'];
/** Makes what is to be told of one kind of step. */
export type Tell = (doing: Doing) => (done: number, total: number) => void;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' };
const TELL_EVERY_MS = 200;

interface Caller {
  readonly inbound: Inbound;
  readonly session: Session;
}

/** For work that takes a while: answers at once and then line by line; whoever leaves, or is turned away, stops the work. */
export function createWorkLines({ engine, credentials, stopping, report }: Parts) {
  return function work(
    { inbound, session: { token, credential } }: Caller,
    run: (tell: Tell, signal: AbortSignal) => Promise<WorkLine>,
  ): typeof STREAMING {
    const leaving = new AbortController();
    const revocation = credentials.revocation(token, credential);
    const signal = AbortSignal.any([leaving.signal, stopping, revocation]);
    const sink = inbound.stream(LINES, () => leaving.abort());
    const say = (line: object) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
    let told = performance.now();
    const tell: Tell = (doing) => (done, total) => {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      say({ doing, done, total });
    };
    run(tell, signal)
      .then(say, (error) => say({ error: revocation.aborted ? notKnown().refusal : errorOf(error, signal) }))
      .catch((error) => report(faultLine(error)))
      .finally(() => sink.end());
    return STREAMING;
  };

  function errorOf(error: unknown, signal: AbortSignal): object {
    const refused = refusalOf(error);
    if (refused) return refused.refusal;
    if (stopping.aborted)
      return refuse('store_unavailable', 'The server was stopped. Send it again for the rest.').refusal;
    if (!signal.aborted) report(faultLine(error));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
}
