import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { getOwn } from '../../core/util/get-own.ts';
import type { Command, State } from '../../core/workspace.ts';
import type { Engine } from '../../engine/engine.ts';
import type { AcceptedCommand } from '../../engine/handle.ts';
import { type StoredEvent, wireTextOf } from '../../log/event-log.ts';
import { type Endpoint, endpoints, type RouteKey } from '../../protocol/routes.ts';
import type { AuthSession, RouteHandlers } from '../http/edge.ts';
import { malformedRefusal } from '../http/errors.ts';
import type { InboundRequest } from '../http/request.ts';
import { buildThreadRow } from '../threads/activity.ts';
import type { RouteContext } from './context.ts';

const COMMAND_PREFIX = 'POST /api/threads/:thread/commands/';
type CommandRouteKey = Extract<RouteKey, `${typeof COMMAND_PREFIX}${string}`>;

interface CommandCall {
  readonly inbound: InboundRequest;
  readonly session: AuthSession;
}

/** One handler for the commands of threads of every kind: the route table validates the body, the core decides. */
export function commandHandlers({ engine }: RouteContext): Pick<RouteHandlers, CommandRouteKey> {
  const commandEndpoints = endpoints.filter(({ key }) => key.startsWith(COMMAND_PREFIX));
  return Object.fromEntries(
    commandEndpoints.map((endpoint) => [
      endpoint.key,
      async (call: CommandCall & { params: { thread: string }; body: object }) => {
        const { thread } = call.params;
        const body = endpoint.bodyByKind ? await bodyOf(endpoint.bodyByKind, thread, call.body) : call.body;
        if (isRefusal(body)) return body;
        const command = { name: endpoint.key.slice(COMMAND_PREFIX.length), input: { ...body, thread } } as Command;
        const result = await runCommand(engine, call, command);
        if (isRefusal(result)) return result;
        const row = await threadRowJson(engine, result, call.params.thread);
        return `{"events":[${result.events.map(wireTextOf).join(',')}],"thread":${row}}`;
      },
    ]),
  ) as unknown as Pick<RouteHandlers, CommandRouteKey>;

  /** Parses the body of a command that several kinds of thread have. For any other kind the core refuses it unread. */
  async function bodyOf(schemas: BodySchemas, thread: string, body: object): Promise<object | Refusal> {
    const schema = getOwn(schemas, (await engine.state(thread))?.state.thread.kind ?? '');
    const parsed = schema?.safeParse(body);
    if (!parsed) return {};
    return parsed.success ? (parsed.data as object) : malformedRefusal(parsed.error, body);
  }
}

type BodySchemas = NonNullable<Endpoint['bodyByKind']>;

export async function runCommand(
  engine: Engine,
  call: CommandCall,
  command: Command,
): Promise<AcceptedCommand<State> | Refusal> {
  const id = commandIdOf(call);
  if (isRefusal(id)) return id;
  return engine.handle(call.session.actor, command, id);
}

/** The thread right after the command, so that a retry gets the same response even if the thread has changed since. */
export async function threadRowJson(
  engine: Engine,
  { events, change }: AcceptedCommand<State>,
  fallbackThread = '',
): Promise<string> {
  const thread = events[0]?.thread ?? fallbackThread;
  const newest =
    events.findLast((event) => event.thread === thread) ?? ((await engine.log.lastOf(thread)) as StoredEvent);
  const { state } = change?.after.get(thread) ?? (await engine.stateAt(thread, newest.seq));
  return JSON.stringify(await buildThreadRow(engine, state, newest));
}

const COMMAND_ID_PATTERN = /^[\x21-\x7e]{1,200}$/;

/** The command id that the client chose, or undefined to let the server choose. */
export function commandIdOf({ inbound }: { readonly inbound: InboundRequest }): string | undefined | Refusal {
  const id = inbound.header('idempotency-key');
  if (id === undefined || COMMAND_ID_PATTERN.test(id)) return id;
  return refuse('malformed', 'The header "Idempotency-Key" must be 1 to 200 visible ASCII characters, without spaces.');
}
