import { refuse } from '../core/refusal.ts';
import type { WorkLine } from '../protocol/wire.ts';
import { faultLine, refusalOf } from './errors.ts';
import { type Inbound, STREAMING } from './exchange.ts';
import type { Parts } from './routes/parts.ts';
import { DATA_HEADERS } from './security.ts';

type Doing = Extract<WorkLine, { doing: unknown }>['doing'];
/** Makes what is to be told of one kind of step. */
export type Tell = (doing: Doing) => (done: number, total: number) => void;

const LINES = { ...DATA_HEADERS, 'content-type': 'application/jsonl; charset=utf-8', 'x-accel-buffering': 'no' };
const TELL_EVERY_MS = 200;

/** For work that takes a while: answers at once and then line by line; whoever leaves stops the work. */
export function createWorkLines({ engine, stopping, report }: Pick<Parts, 'engine' | 'stopping' | 'report'>) {
  return function work(
    inbound: Inbound,
    run: (tell: Tell, signal: AbortSignal) => Promise<WorkLine>,
  ): typeof STREAMING {
    const leaving = new AbortController();
    const sink = inbound.stream(LINES, () => leaving.abort());
    const say = (line: object) => sink.write(Buffer.from(engine.secrets.remove(`${JSON.stringify(line)}\n`)));
    let told = performance.now();
    const tell: Tell = (doing) => (done, total) => {
      if (performance.now() - told < TELL_EVERY_MS) return;
      told = performance.now();
      say({ doing, done, total });
    };
    run(tell, AbortSignal.any([leaving.signal, stopping]))
      .then(say, (error) => say({ error: errorOf(error) }))
      .catch((error) => report(faultLine(error)))
      .finally(() => sink.end());
    return STREAMING;
  };

  function errorOf(error: unknown): object {
    const refused = refusalOf(error);
    if (refused) return refused.refusal;
    if (stopping.aborted)
      return refuse('store_unavailable', 'The server was stopped. Send it again for the rest.').refusal;
    report(faultLine(error));
    return { code: 'internal', message: 'Something went wrong in the server; its own output says what.' };
  }
}
