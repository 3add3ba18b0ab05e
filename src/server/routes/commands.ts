import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Done } from '../../engine/handle.ts';
import { type Stored, wireOf } from '../../log/event-log.ts';
import { endpoints, type RouteKey } from '../../protocol/routes.ts';
import type { Handlers, Session } from '../http/edge.ts';
import type { Inbound } from '../http/request.ts';
import { threadRow } from '../threads/activity.ts';
import type { Parts } from './context.ts';

const PREFIX = 'POST /api/threads/:thread/commands/';
type CommandKey = Extract<RouteKey, `${typeof PREFIX}${string}`>;

interface CommandCall {
  readonly inbound: Inbound;
  readonly session: Session;
}

/** Every command of a thread, whatever its kind: what it says is checked by the table of routes, what it does by the core. */
export function commandHandlers({ engine }: Parts): Pick<Handlers, CommandKey> {
  const keys = endpoints.map(({ key }) => key).filter((key): key is CommandKey => key.startsWith(PREFIX));
  return Object.fromEntries(
    keys.map((key) => [
      key,
      async (call: CommandCall & { params: { thread: string }; body: object }) => {
        const wish = { name: key.slice(PREFIX.length), input: { thread: call.params.thread, ...call.body } } as Command;
        const done = await carryOut(engine, call, wish);
        if (isRefusal(done)) return done;
        const row = await rowText(engine, done, call.params.thread);
        return `{"events":[${done.events.map(wireOf).join(',')}],"thread":${row}}`;
      },
    ]),
  ) as unknown as Pick<Handlers, CommandKey>;
}

export async function carryOut(engine: Engine, call: CommandCall, wish: Command): Promise<Done<State> | Refusal> {
  const id = commandId(call);
  if (isRefusal(id)) return id;
  return engine.handle(call.session.actor, wish, id);
}

/** The thread as the command left it, so that a retry is told the same however it went on. */
export async function rowText(engine: Engine, { events, made }: Done<State>, otherwise = ''): Promise<string> {
  const thread = events[0]?.thread ?? otherwise;
  const newest = events.findLast((event) => event.thread === thread) ?? ((await engine.log.lastOf(thread)) as Stored);
  const { state } = made?.after.get(thread) ?? (await engine.stateAt(thread, newest.seq));
  return JSON.stringify(await threadRow(engine, state, newest));
}

const COMMAND_ID = /^[\x21-\x7e]{1,200}$/;

/** The client's id for its wish, or undefined when it leaves that to us. */
export function commandId({ inbound }: { readonly inbound: Inbound }): string | undefined | Refusal {
  const id = inbound.header('idempotency-key');
  if (id === undefined || COMMAND_ID.test(id)) return id;
  return refuse('malformed', 'The header "Idempotency-Key" must be 1 to 200 visible ASCII characters, without spaces.');
}
