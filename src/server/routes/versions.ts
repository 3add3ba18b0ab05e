import { isRefusal, refuse } from '../../core/refusal.ts';
import { MessageVersioned } from '../../core/threads/events.ts';
import { type EventLog, eventOf, type StoredEvent, wireTextOf } from '../../log/event-log.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { runCommand, threadRowJson } from './commands.ts';
import { findEvent, loadThread, type RouteContext } from './context.ts';

export function versionHandlers({ engine }: RouteContext) {
  return {
    async 'POST /api/threads/:thread/events/:event/versions'(call) {
      const { thread } = call.params;
      const loaded = await loadThread(engine, thread);
      if (isRefusal(loaded)) return loaded;
      const stored = await findEvent(engine, thread, call.params.event);
      if (isRefusal(stored)) return stored;
      const { type, from, meta, imported, id } = eventOf(stored);
      if (type !== 'message')
        return refuse('malformed', `Only messages can be edited; this is a "${type}".`, { thread });
      if (imported || meta.audit)
        return refuse(
          'forbidden',
          imported
            ? 'This message was imported, so nobody here can edit it.'
            : 'An audit cannot be edited. Ask for another one.',
          { thread },
        );
      const input = { thread, event: id, author: from, text: call.body.text };
      const result = await runCommand(engine, call, { name: 'edit', input });
      if (isRefusal(result)) return result;
      const row = await threadRowJson(engine, result, thread);
      return `{"events":[${result.events.map(wireTextOf).join(',')}],"thread":${row}}`;
    },

    async 'GET /api/threads/:thread/events/:event/versions'({ params }) {
      const loaded = await loadThread(engine, params.thread);
      if (isRefusal(loaded)) return loaded;
      const stored = await findEvent(engine, params.thread, params.event);
      if (isRefusal(stored)) return stored;
      return JSON.stringify({ versions: await readVersions(engine.log, params.thread, stored) });
    },
  } satisfies Partial<RouteHandlers>;
}

const PAGE = 500;

/** Lists all versions of a message, oldest first. */
async function readVersions(log: EventLog, thread: string, stored: StoredEvent) {
  const message = eventOf(stored);
  const versions = [{ event: message.id, ts: message.ts, text: String(message.content) }];
  for (let after = stored.seq; message.type === 'message'; ) {
    const rows = await log.readThread(thread, after, PAGE);
    for (const row of rows.filter(({ body }) => body.includes(message.id))) {
      const event = eventOf(row);
      const content = MessageVersioned.read(event)?.content;
      const isVersion =
        content?.of === message.id && event.from === message.from && event.imported === message.imported;
      if (isVersion) versions.push({ event: event.id, ts: event.ts, text: String(content.text) });
    }
    if (rows.length < PAGE) break;
    after = (rows.at(-1) as StoredEvent).seq;
  }
  return versions;
}
