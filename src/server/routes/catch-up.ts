import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { State } from '../../core/workspace.ts';
import { summarise } from '../../engine/agents/summary.ts';
import { unknownCredential } from '../../log/credential.ts';
import { READ_MARK } from '../../log/record-kinds.ts';
import { cursorOf, parseCursor } from '../../protocol/cursor.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { loadThread, type RouteContext } from './context.ts';

export function catchUpHandlers({ engine, models, credentials, stopping }: RouteContext) {
  return {
    async 'GET /api/read-marks'({ session }) {
      const prefix = `${session.actor.id}/`;
      const records = await engine.log.records(READ_MARK);
      const marks = records
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, value }) => [key.slice(prefix.length), cursorOf('thread', Number(value))]);
      return JSON.stringify({ marks: Object.fromEntries(marks) });
    },

    async 'POST /api/threads/:thread/read-mark'({ params, body, session }) {
      const target = await resolveCursor(params.thread, body.cursor);
      if (isRefusal(target)) return target;
      const key = `${session.actor.id}/${params.thread}`;
      const storedPlace = Number((await engine.log.record(READ_MARK, key)) ?? 0);
      if (target.place > storedPlace)
        await engine.log.putRecords([{ kind: READ_MARK, key, value: String(target.place) }]);
      return JSON.stringify({ cursor: cursorOf('thread', Math.max(storedPlace, target.place)) });
    },

    async 'POST /api/threads/:thread/summary'({ params, body, session, inbound }) {
      const target = await resolveCursor(params.thread, body.after);
      if (isRefusal(target)) return target;
      const revocation = credentials.revocation(session.token, session.credential);
      const summary = await summarise(engine.log, models, {
        thread: params.thread,
        state: target.state,
        head: target.seq,
        after: target.place,
        reader: session.actor.id,
        signal: AbortSignal.any([inbound.disconnectSignal(), stopping, revocation]),
      });
      if (revocation.aborted) return unknownCredential();
      return isRefusal(summary) ? summary : engine.secrets.remove(JSON.stringify(summary));
    },
  } satisfies Partial<RouteHandlers>;

  /** Resolves a cursor to a place in the thread; refuses one beyond its end. */
  async function resolveCursor(
    thread: string,
    cursor: string | undefined,
  ): Promise<{ readonly state: State; readonly seq: number; readonly place: number } | Refusal> {
    const loaded = await loadThread(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const place = parseCursor('thread', cursor);
    if (isRefusal(place)) return place;
    if (place <= loaded.seq) return { ...loaded, place };
    return refuse(
      'wrong_cursor',
      `This thread has ${loaded.seq} events, and the cursor points past them. Read it again without a cursor.`,
    );
  }
}
