import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { State } from '../../core/workspace.ts';
import { summarise } from '../../engine/agents/summary.ts';
import { notKnown } from '../../log/credential.ts';
import { READ_MARK } from '../../log/record-kinds.ts';
import type { catchingUpRoutes } from '../../protocol/catch-up.ts';
import { cursorOf, placeOf } from '../../protocol/cursor.ts';
import type { Handlers } from '../http/edge.ts';
import { type Parts, stateOf } from './context.ts';

export function catchingUpHandlers({
  engine,
  models,
  credentials,
  stopping,
}: Parts): Pick<Handlers, keyof typeof catchingUpRoutes> {
  return {
    async 'GET /api/read-marks'({ session }) {
      const mine = `${session.actor.id}/`;
      const all = await engine.log.records(READ_MARK);
      const marks = all
        .filter(({ key }) => key.startsWith(mine))
        .map(({ key, value }) => [key.slice(mine.length), cursorOf('thread', Number(value))]);
      return JSON.stringify({ marks: Object.fromEntries(marks) });
    },

    async 'POST /api/threads/:thread/read-mark'({ params, body, session }) {
      const at = await placeIn(params.thread, body.cursor);
      if (isRefusal(at)) return at;
      const key = `${session.actor.id}/${params.thread}`;
      const before = Number((await engine.log.record(READ_MARK, key)) ?? 0);
      if (at.place > before) await engine.log.putRecords([{ kind: READ_MARK, key, value: String(at.place) }]);
      return JSON.stringify({ cursor: cursorOf('thread', Math.max(before, at.place)) });
    },

    async 'POST /api/threads/:thread/summary'({ params, body, session, inbound }) {
      const at = await placeIn(params.thread, body.after);
      if (isRefusal(at)) return at;
      const revocation = credentials.revocation(session.token, session.credential);
      const summary = await summarise(engine.log, models, {
        thread: params.thread,
        state: at.state,
        head: at.seq,
        after: at.place,
        reader: session.actor.id,
        signal: AbortSignal.any([inbound.gone(), stopping, revocation]),
      });
      if (revocation.aborted) return notKnown();
      return isRefusal(summary) ? summary : engine.secrets.remove(JSON.stringify(summary));
    },
  };

  /** The place of a cursor in a thread that has come so far. */
  async function placeIn(
    thread: string,
    cursor: string | undefined,
  ): Promise<{ readonly state: State; readonly seq: number; readonly place: number } | Refusal> {
    const loaded = await stateOf(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const place = placeOf('thread', cursor);
    if (isRefusal(place)) return place;
    if (place <= loaded.seq) return { ...loaded, place };
    return refuse('wrong_cursor', `This thread has ${loaded.seq} events, and the cursor is behind them. Read it anew.`);
  }
}
