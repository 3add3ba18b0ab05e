import { linkTo } from '../../core/link.ts';
import { isRefusal } from '../../core/refusal.ts';
import { trailOf } from '../../core/threads/view/trail.ts';
import { bringCommandFor, openCommandFor } from '../../engine/bring/commands.ts';
import { waysOf } from '../../engine/bring/ways.ts';
import { wireTextOf } from '../../log/event-log.ts';
import type { ThreadRow } from '../../protocol/threads.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { runCommand, threadRowJson } from './commands.ts';
import { loadThread, type RouteContext } from './context.ts';

export function transferHandlers({ engine }: RouteContext) {
  return {
    async 'POST /api/open'(call) {
      const command = await openCommandFor(engine, call.body, call.session.actor);
      const result = isRefusal(command) ? command : await runCommand(engine, call, command);
      if (isRefusal(result)) return result;
      const row = await threadRowJson(engine, result);
      return `{"thread":${row},"link":${JSON.stringify(linkTo(JSON.parse(row) as ThreadRow))}}`;
    },

    async 'GET /api/bring'({ query, session }) {
      const ways = await waysOf(engine, query, session.actor);
      return isRefusal(ways) ? ways : JSON.stringify(ways);
    },

    async 'POST /api/bring'(call) {
      const command = await bringCommandFor(engine, call.body, call.session.actor);
      const result = isRefusal(command) ? command : await runCommand(engine, call, command);
      if (isRefusal(result)) return result;
      const row = await threadRowJson(engine, result);
      const thread = JSON.parse(row) as ThreadRow;
      const link = linkTo(thread, thread.brought?.at(-1)?.at);
      return `{"events":[${result.events.map(wireTextOf).join(',')}],"thread":${row},"link":${JSON.stringify(link)}}`;
    },

    async 'GET /api/threads/:thread/trail'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      return isRefusal(loaded) ? loaded : JSON.stringify(trailOf(await engine.index(), params.thread));
    },
  } satisfies Partial<RouteHandlers>;
}
