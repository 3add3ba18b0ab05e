import type { Event } from '../../core/events/event.ts';
import { linkTo } from '../../core/link.ts';
import { placeOf } from '../../core/origin.ts';
import { isRefusal } from '../../core/refusal.ts';
import { trailOf } from '../../core/threads/view/trail.ts';
import { bringingOf, openingOf } from '../../engine/bring/commands.ts';
import { waysOf } from '../../engine/bring/ways.ts';
import { eventOf, type Stored, wireOf } from '../../log/event-log.ts';
import type { ThreadRow } from '../../protocol/threads.ts';
import type { betweenRoutes } from '../../protocol/transfer.ts';
import type { Handlers } from '../http/edge.ts';
import { carryOut, rowText } from './commands.ts';
import { type Parts, stateOf } from './context.ts';

export function betweenHandlers({ engine }: Parts): Pick<Handlers, keyof typeof betweenRoutes> {
  return {
    async 'POST /api/open'(call) {
      const command = await openingOf(engine, call.body, call.session.actor);
      const done = isRefusal(command) ? command : await carryOut(engine, call, command);
      if (isRefusal(done)) return done;
      const row = await rowText(engine, done);
      return `{"thread":${row},"link":${JSON.stringify(linkTo(JSON.parse(row) as ThreadRow))}}`;
    },

    async 'GET /api/bring'({ query, session }) {
      const told = await waysOf(engine, query, session.actor);
      return isRefusal(told) ? told : JSON.stringify(told);
    },

    async 'POST /api/bring'(call) {
      const command = await bringingOf(engine, call.body, call.session.actor);
      const done = isRefusal(command) ? command : await carryOut(engine, call, command);
      if (isRefusal(done)) return done;
      const row = await rowText(engine, done);
      const link = linkTo(JSON.parse(row) as ThreadRow, placeOf(eventOf(done.events[0] as Stored) as Event));
      return `{"events":[${done.events.map(wireOf).join(',')}],"thread":${row},"link":${JSON.stringify(link)}}`;
    },

    async 'GET /api/threads/:thread/trail'({ params }) {
      const loaded = await stateOf(engine, params.thread);
      return isRefusal(loaded) ? loaded : JSON.stringify(trailOf(await engine.index(), params.thread));
    },
  };
}
