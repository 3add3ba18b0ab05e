import { z } from 'zod';
import { allModes } from '../core/modes.ts';
import * as schema from '../core/threads/schema.ts';
import { accessRoutes } from './access.ts';
import { blobRoutes } from './blobs.ts';
import { catchUpRoutes } from './catch-up.ts';
import { modeCommandRoutes } from './commands.ts';
import { dialogueRoutes } from './dialogue.ts';
import { exchangeRoutes } from './exchange.ts';
import { explainRoutes } from './explain.ts';
import { loomRoutes } from './loom.ts';
import { loomFileRoutes } from './loom-files.ts';
import { modelRoutes } from './models.ts';
import { peopleRoutes } from './people.ts';
import { pinRoutes } from './pins.ts';
import { sampleRoutes } from './sample.ts';
import { searchRoutes } from './search.ts';
import { snippetRoutes } from './snippets.ts';
import { streamRoutes } from './streams.ts';
import * as threads from './threads.ts';
import { transferRoutes } from './transfer.ts';
import * as wire from './wire.ts';

/** Who may call a route: anyone, any participant with a credential, or humans only (T6). */
export type RouteAccess = 'open' | 'participant' | 'human';

export type MediaType =
  | 'text/event-stream'
  | 'text/plain'
  | 'text/html'
  | 'application/json'
  | 'application/jsonl'
  | 'application/octet-stream';

export interface Route {
  readonly summary: string;
  readonly access: RouteAccess;
  readonly status: number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body of a command whose name several kinds of thread share, by kind; `body` is then any of them. */
  readonly bodyByKind?: Readonly<Record<string, z.ZodType>>;
  /** The body is an event, in which a client may repeat fields that the server sets (T29). */
  readonly envelope?: true;
  /** A body that is read as a stream: JSON Lines of any length, or a file. */
  readonly upload?: 'application/jsonl' | 'application/octet-stream';
  /** Commands: the `Idempotency-Key` header is the command's id (L7). */
  readonly command?: true;
  /** The shape of a successful answer, or its media type when no schema of ours describes it. */
  readonly response: z.ZodType | MediaType;
}

const head = { head: z.string() };
const cursor = z.string().max(64);
const pageFields = {
  after: cursor.optional().describe('Only events after this cursor; "head" for new events only.'),
  before: cursor.optional().describe('The newest events before this cursor; "head" for the newest of all.'),
  limit: z.coerce.number().int().min(1).max(1000).default(100).describe('The maximum number of events to return.'),
  wait: z.coerce.number().min(0).max(25).default(0).describe('Seconds to wait if there is no event yet.'),
};
const pageQuery = z.strictObject(pageFields);
const streamQuery = z.strictObject({ after: pageFields.after });
const importQuery = z.strictObject({
  mine: z
    .enum(['true'])
    .optional()
    .describe('Moves your own workspace into an empty one, where it continues as yours.'),
});
const { commandResult } = wire;

/**
 * The one table of all API routes. The server mounts and checks them from it, the OpenAPI document and the reference
 * page are generated from it, and the client takes its types from it.
 */
export const routes = {
  'GET /api/threads': {
    summary: 'Lists the threads of the workspace, most recently active first.',
    access: 'participant',
    status: 200,
    query: threads.listQuery,
    response: z.object({ threads: z.array(threads.threadRow), ...head }),
  },
  'POST /api/threads': {
    summary: 'Creates a thread.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.newThread,
    response: z.object({ thread: threads.threadRow }),
  },
  'GET /api/threads/:thread': {
    summary: 'Returns one thread, as in the list.',
    access: 'participant',
    status: 200,
    response: z.object({ thread: threads.threadRow, ...head }),
  },
  'GET /api/threads/:thread/state': {
    summary: 'Returns the state of a thread: participants, mutes, tasks, side channels.',
    access: 'participant',
    status: 200,
    response: z.object({ state: threads.threadState, ...head }),
  },
  'GET /api/threads/:thread/fold': {
    summary: 'Returns the state of a thread in the internal form of this version, for folding further events.',
    access: 'participant',
    status: 200,
    response: z.object({
      fold: z.record(z.string(), z.unknown()),
      imported: threads.imported.optional(),
      now: z.string(),
      ...head,
    }),
  },
  'GET /api/threads/:thread/conversation': {
    summary: 'Returns the conversation in a thread of any kind (its messages and controls): the newest hundred events.',
    access: 'participant',
    status: 200,
    response: z.object({ events: z.array(wire.event), ...head }),
  },
  'GET /api/threads/:thread/events': {
    summary: 'Returns events of a thread, from the beginning, after a cursor or before one.',
    access: 'participant',
    status: 200,
    query: pageQuery,
    response: wire.eventPage,
  },
  'POST /api/threads/:thread/events': {
    summary: 'Posts a message, control, task, result or presence transition.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.newEvent,
    envelope: true,
    response: wire.postResult,
  },
  'GET /api/threads/:thread/events/:event': {
    summary: 'Returns one event.',
    access: 'participant',
    status: 200,
    response: z.object({ event: wire.event, ...head }),
  },
  'POST /api/threads/:thread/events/:event/versions': {
    summary: 'Edits one of the caller’s messages. Earlier texts are kept, and nobody is woken.',
    access: 'participant',
    status: 201,
    command: true,
    body: z.strictObject({ text: schema.message }),
    response: commandResult,
  },
  'GET /api/threads/:thread/events/:event/versions': {
    summary: 'Lists all versions of a message, oldest first.',
    access: 'participant',
    status: 200,
    response: z.object({ versions: z.array(z.object({ event: z.string(), ts: z.string(), text: z.string() })) }),
  },
  'GET /api/events/:event': {
    summary: 'Returns one event of any thread.',
    access: 'participant',
    status: 200,
    response: z.object({ event: wire.event }),
  },
  'GET /api/threads/:thread/events/:event/delivery': {
    summary: 'Returns whom an event wakes and whom it does not, with reasons.',
    access: 'participant',
    status: 200,
    response: z.object({ delivery: z.array(threads.delivery), ...head }),
  },
  'POST /api/threads/:thread/delivery': {
    summary: 'Returns whom an event would wake if it were posted now. Nothing is stored.',
    access: 'participant',
    status: 200,
    body: wire.newEvent,
    envelope: true,
    response: z.object({ delivery: z.array(threads.delivery), ...head }),
  },
  'GET /api/threads/:thread/stream': {
    summary: 'Streams events of a thread (server-sent events): first those since the cursor, then live.',
    access: 'participant',
    status: 200,
    query: streamQuery,
    response: 'text/event-stream',
  },
  'GET /api/threads/:thread/presence': {
    summary: 'Lists who is online.',
    access: 'participant',
    status: 200,
    response: z.object({ presence: z.array(threads.presence), ...head }),
  },
  'POST /api/threads/:thread/presence': {
    summary: 'Sets the caller’s presence, for two minutes or as long as a stream is open.',
    access: 'participant',
    status: 200,
    body: wire.newPresence,
    response: z.object({ presence: threads.presence }),
  },
  'POST /api/threads/:thread/commands/side_open': {
    summary: 'Opens a side channel: a linked thread for one question.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.side_open,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/side_close': {
    summary: 'Closes this side channel with a summary, which goes to its parent.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.side_close,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/archive': {
    summary: 'Archives a thread, which hides it from lists and search, or unarchives it.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.archive,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/tag': {
    summary: 'Adds and removes tags of a thread.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.tag,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/fork': {
    summary: 'Creates a thread that starts with the history of this one.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.fork,
    response: commandResult,
  },
  ...modeCommandRoutes,
  ...blobRoutes,
  ...transferRoutes,
  ...catchUpRoutes,
  ...pinRoutes,
  ...peopleRoutes,
  ...searchRoutes,
  ...snippetRoutes,
  ...explainRoutes,
  ...sampleRoutes,
  ...dialogueRoutes,
  ...exchangeRoutes,
  ...loomRoutes,
  ...loomFileRoutes,
  'POST /api/threads/:thread/commands/draft': {
    summary: 'Writes a draft for a human to post.',
    access: 'participant',
    status: 201,
    command: true,
    body: wire.threadCommands.draft,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/draft_accept': {
    summary: 'Posts a draft in its author’s name, unchanged or edited.',
    access: 'human',
    status: 201,
    command: true,
    body: wire.threadCommands.draft_accept,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/draft_discard': {
    summary: 'Dismisses a draft. It stays in the log.',
    access: 'human',
    status: 201,
    command: true,
    body: wire.threadCommands.draft_discard,
    response: commandResult,
  },
  'POST /api/threads/:thread/commands/stop_answer': {
    summary: 'Stops an agent’s answer.',
    access: 'human',
    status: 201,
    command: true,
    body: wire.threadCommands.stop_answer,
    response: commandResult,
  },
  'GET /api/events': {
    summary: 'Returns events of the whole workspace in commit order. Workspace cursors are not thread cursors.',
    access: 'participant',
    status: 200,
    query: pageQuery,
    response: wire.eventPage,
  },
  'GET /api/stream': {
    summary: 'Streams events of the whole workspace (server-sent events).',
    access: 'participant',
    status: 200,
    query: streamQuery,
    response: 'text/event-stream',
  },
  ...streamRoutes,
  'POST /api/import': {
    summary: 'Imports an export, sent as the body. Answers with progress lines and a last line with the result.',
    access: 'human',
    status: 200,
    query: importQuery,
    upload: 'application/jsonl',
    response: 'application/jsonl',
  },
  'POST /api/rebuild': {
    summary: 'Rebuilds all derived data from the log. Answers in lines, like an import.',
    access: 'human',
    status: 200,
    body: z.strictObject({}),
    response: 'application/jsonl',
  },
  ...modelRoutes,
  ...accessRoutes,
  'GET /healthz': {
    summary: 'Checks that the process answers.',
    access: 'open',
    status: 200,
    response: z.object({ status: z.literal('ok'), version: z.string() }),
  },
  'GET /readyz': {
    summary: 'Checks that the store can be read.',
    access: 'open',
    status: 200,
    response: z.object({ status: z.literal('ready') }),
  },
  'GET /metrics': {
    summary: 'Metrics of this process, in the Prometheus text format.',
    access: 'participant',
    status: 200,
    response: 'text/plain',
  },
  'GET /openapi.json': {
    summary: 'This table as an OpenAPI 3.1 document.',
    access: 'participant',
    status: 200,
    response: 'application/json',
  },
  'GET /docs': {
    summary: 'This table as a page to read.',
    access: 'participant',
    status: 200,
    response: 'text/html',
  },
} as const satisfies Record<`${'GET' | 'POST' | 'DELETE'} /${string}`, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
/** The thread commands, by the last segment of their path. */
export type ThreadCommand = RouteKey extends infer Key
  ? Key extends `POST /api/threads/:thread/commands/${infer Name}`
    ? Name
    : never
  : never;

/** The paths that serve the page, which decides itself what to show (C11). */
export const pagePaths: readonly string[] = [
  ...['/', '/all', '/settings', '/threads', '/threads/:id'],
  ...allModes.flatMap(({ kind }) => [`/${kind}s`, `/${kind}/:id`]),
];

export interface Endpoint extends Route {
  readonly key: RouteKey;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

export const endpoints: readonly Endpoint[] = Object.entries<Route>(routes).map(([key, route]) => {
  const [method, path] = key.split(' ') as [Endpoint['method'], string];
  return { key: key as RouteKey, method, path, ...route };
});

type SchemaOutput<Schema, Fallback> = Schema extends z.ZodType ? z.output<Schema> : Fallback;
type RouteField<Key extends RouteKey, Name extends string> = Routes[Key] extends { readonly [N in Name]: infer Schema }
  ? Schema
  : undefined;

/** The parameter names in a path, such as `thread` in `/api/threads/:thread`. */
export type RouteParams<Key extends string> = Key extends `${string}:${infer Name}/${infer Rest}`
  ? Name | RouteParams<Rest>
  : Key extends `${string}:${infer Name}`
    ? Name
    : never;

/** The query as the server gets it, after validation. */
export type RouteQuery<Key extends RouteKey> = SchemaOutput<RouteField<Key, 'query'>, undefined>;
export type RouteBody<Key extends RouteKey> = SchemaOutput<RouteField<Key, 'body'>, undefined>;
/** The query as a client may send it, before validation. */
export type RequestQuery<Key extends RouteKey> =
  SchemaOutput<RouteField<Key, 'query'>, Record<never, never>> extends infer Query
    ? { readonly [Name in keyof Query]?: Query[Name] | undefined }
    : never;
export type RequestBody<Key extends RouteKey> =
  RouteField<Key, 'body'> extends infer Schema extends z.ZodType ? z.input<Schema> : undefined;
export type RouteResponse<Key extends RouteKey> = SchemaOutput<RouteField<Key, 'response'>, string>;
