import type { RequestBody, RequestQuery } from '../protocol/routes.ts';
import type { NewEventBody, NewThreadBody } from '../protocol/wire.ts';
import { blobsClient } from './blobs.ts';
import { type CommandOptions, createCommand, newId } from './command.ts';
import { dialogueClient } from './dialogue.ts';
import { exchangeClient } from './exchange.ts';
import { type ClientOptions, createHttp } from './http.ts';
import { importLooms, type LoomImportOptions, loomClient, type NamedFile } from './loom.ts';
import { type ModelTestOptions, testModel } from './models.ts';
import { openStream, type StreamOptions } from './stream.ts';
import { createView } from './view.ts';
import { type ImportOptions, importLog, rebuildLog, type WorkOptions } from './work-lines.ts';

export type { Attachment, NamedAttachment } from '../core/attachments/attachment.ts';
export type { Trail as WireTrail } from '../core/threads/view/schema.ts';
export type { WireSummary } from '../protocol/catch-up.ts';
export type { WireAccount } from '../protocol/explain.ts';
export type { WireLoomNode, WireLoomPath, WireLoomTree } from '../protocol/loom.ts';
export type { LoomExportFormat, WireImportedLoom } from '../protocol/loom-files.ts';
export type { Persona, WirePerson } from '../protocol/people.ts';
export type { ThreadCommand } from '../protocol/routes.ts';
export type { SearchHit, SearchPage } from '../protocol/search.ts';
export type { WireSnippet } from '../protocol/snippets.ts';
export type { ThreadRow, WireDelivery, WirePresence, WireThreadState } from '../protocol/threads.ts';
export type { WireBringWays } from '../protocol/transfer.ts';
export type {
  ModelTestResult,
  NewEventBody,
  NewThreadBody,
  WireAgent,
  WireCredential,
  WireEvent,
  WireEventPage,
  WireImportResult,
  WireModel,
  WireModelEntry,
  WirePostResult,
  WireRebuildResult,
  WireUsage,
} from '../protocol/wire.ts';
export type { UploadOptions, WireBlob } from './blobs.ts';
export type { CommandOptions, CommandResult } from './command.ts';
export type * from './dialogue.ts';
export type * from './exchange.ts';
export { type ClientOptions, type Fetch, isFinal, type SendFile } from './http.ts';
export type { LoomImportOptions, NamedFile } from './loom.ts';
export type { ModelTestOptions } from './models.ts';
export { HeddleRefusal, HeddleUnreachable } from './refusal.ts';
export type { LiveItem, StreamItem, StreamOptions, StreamState } from './stream.ts';
export type { WorkOptions } from './work-lines.ts';

type ReadOptions = RequestQuery<'GET /api/events'> & { readonly signal?: AbortSignal | undefined };
type ExplainOptions = Omit<RequestQuery<'GET /api/explain'>, 'link'> & { readonly signal?: AbortSignal | undefined };
type PresenceInput = RequestBody<'POST /api/threads/:thread/presence'>;

/**
 * A Heddle workspace, from Node or a browser.
 *
 * ```ts
 * const heddle = createClient({ url: 'http://127.0.0.1:4747', token });
 * const { thread } = await heddle.threads.create({ title: 'Garden' });
 * await heddle.thread(thread.id).post({ type: 'message', content: 'Hello' });
 * for await (const { event } of heddle.thread(thread.id).stream()) console.log(event);
 * ```
 *
 * Refusals are thrown as `HeddleRefusal` with a `code`. Every command has its own id
 * and is retried if the server does not answer; the server executes it once.
 */
export function createClient(options: ClientOptions) {
  const http = createHttp(options);
  const { call } = http;

  function thread(id: string) {
    const params = { thread: id };
    const view = createView(http, id);
    return {
      id,
      /** The thread's row, as the list of threads has it. */
      get: view('GET /api/threads/:thread'),
      /** The thread's current state: participants, mutes, tasks, side channels. */
      state: view('GET /api/threads/:thread/state'),
      /** The same as the program itself folds it, to fold on after `head`; another version may have another form. */
      fold: view('GET /api/threads/:thread/fold'),
      /** A page of events; continue with its `cursor` until that equals `head`. */
      events: view('GET /api/threads/:thread/events'),
      event: (event: string) => call('GET /api/threads/:thread/events/:event', { params: { thread: id, event } }),
      post: (body: NewEventBody, { id: commandId = newId(), signal }: CommandOptions = {}) =>
        call('POST /api/threads/:thread/events', { params, body, id: commandId, signal }),
      /** Gives one's own message another text; the earlier ones stay. */
      edit: (event: string, text: string, { id: commandId = newId(), signal }: CommandOptions = {}) =>
        call('POST /api/threads/:thread/events/:event/versions', {
          params: { thread: id, event },
          body: { text },
          id: commandId,
          signal,
        }),
      /** Lists all versions of a message, oldest first. */
      versions: (event: string) =>
        call('GET /api/threads/:thread/events/:event/versions', { params: { thread: id, event } }),
      /** Sends any command; `dialogue`, `exchange` and `loom` have those of their kind. */
      command: createCommand(http, id),
      dialogue: dialogueClient(http, id),
      exchange: exchangeClient(http, id),
      loom: loomClient(http, id),
      /** The sources of the thread, and the threads that came from it. */
      trail: view('GET /api/threads/:thread/trail'),
      /** The messages of the thread, without the work specific to its kind. */
      conversation: view('GET /api/threads/:thread/conversation'),
      /** Who is there now. */
      presence: view('GET /api/threads/:thread/presence'),
      /** Declares the caller's presence, which holds for two minutes or as long as its stream is open. */
      declare: (state: PresenceInput['state'], details?: PresenceInput['details']) =>
        call('POST /api/threads/:thread/presence', { params, body: { state, ...(details && { details }) } }),
      /** Which participants an event woke, and why the others stayed asleep. */
      delivery: (event: string) =>
        call('GET /api/threads/:thread/events/:event/delivery', { params: { thread: id, event } }),
      /** Which participants an event would wake; nothing is stored. */
      dryRun: (body: NewEventBody) => call('POST /api/threads/:thread/delivery', { params, body }),
      /** Stores how far the caller has read, even if the page is being closed; nobody else sees it. */
      markRead: (cursor: string) =>
        call('POST /api/threads/:thread/read-mark', { params, body: { cursor }, keepalive: true }),
      /** An auditor's summary of the events after a cursor; nothing is posted. */
      summary: (body: RequestBody<'POST /api/threads/:thread/summary'> = {}, signal?: AbortSignal) =>
        call('POST /api/threads/:thread/summary', { params, body, signal }),
      /** Events as they happen; see `StreamOptions`. Being connected makes the caller present. */
      stream: (streamOptions: StreamOptions = {}) =>
        openStream(http, 'GET /api/threads/:thread/stream', params, streamOptions),
    };
  }

  return {
    me: () => call('GET /api/me'),
    /** The newest text of each of these threads, in brief. */
    snippets: (threads: readonly string[]) => call('GET /api/snippets', { query: { threads: threads.join(',') } }),
    /** Names and kinds of everybody in the workspace, by id. */
    people: () => call('GET /api/people'),
    /** Sets the caller's name and picture; null takes one away. */
    setProfile: (body: RequestBody<'POST /api/profile'>) => call('POST /api/profile', { body }),
    /** Agents to invite, with name, instructions and model. */
    personas: {
      list: () => call('GET /api/personas'),
      add: (body: RequestBody<'POST /api/personas'>) => call('POST /api/personas', { body }),
      change: (persona: string, set: RequestBody<'POST /api/personas/:persona'>['set']) =>
        call('POST /api/personas/:persona', { params: { persona }, body: { set } }),
      remove: (persona: string) => call('DELETE /api/personas/:persona', { params: { persona } }),
    },
    /** How far the caller has read, by thread. */
    readMarks: () => call('GET /api/read-marks'),
    /** The caller's pinned threads, which nobody else sees. */
    pins: {
      list: () => call('GET /api/pins'),
      set: (body: RequestBody<'POST /api/pins'>) => call('POST /api/pins', { body }),
    },
    /** Files to attach to what is said. */
    blobs: blobsClient(http),
    looms: {
      /** Imports files of other programs as looms. */
      import: (files: readonly NamedFile[], options: LoomImportOptions = {}) => importLooms(http, files, options),
    },
    threads: {
      /** Archived threads are left out unless asked for. */
      list: (query: RequestQuery<'GET /api/threads'> = {}) => call('GET /api/threads', { query }),
      create: (body: NewThreadBody, { id = newId(), signal }: CommandOptions = {}) =>
        call('POST /api/threads', { body, id, signal }),
    },
    thread,
    /** One event of any thread. */
    event: (event: string) => call('GET /api/events/:event', { params: { event } }),
    /** Opens a text of any thread as a loom or a dialogue. */
    open: (body: RequestBody<'POST /api/open'>, { id = newId(), signal }: CommandOptions = {}) =>
      call('POST /api/open', { body, id, signal }),
    /** Sends a text to another thread, by default the one its own thread was opened from. */
    bring: (body: RequestBody<'POST /api/bring'>, { id = newId(), signal }: CommandOptions = {}) =>
      call('POST /api/bring', { body, id, signal }),
    /** The ways a text could enter a thread now; nothing is changed. */
    waysToBring: ({
      signal,
      ...query
    }: RequestQuery<'GET /api/bring'> & { readonly signal?: AbortSignal | undefined }) =>
      call('GET /api/bring', { query, signal }),
    /** Explains a text or one of its characters: author, model call, context and settings, with proof. */
    explain: (link: string, { signal, ...query }: ExplainOptions = {}) =>
      call('GET /api/explain', { query: { link, ...query }, signal }),
    /** Searches the texts of the whole workspace; continue with the result's `cursor` as long as it has one. */
    search: ({ signal, ...query }: RequestQuery<'GET /api/search'> & { readonly signal?: AbortSignal | undefined }) =>
      call('GET /api/search', { query, signal }),
    /** Creates four sample threads. Calling it again returns the same ones. */
    sample: () => call('POST /api/sample', { body: {} }),
    /** Events of the whole workspace; its cursors are not those of a thread. */
    events: ({ signal, ...query }: ReadOptions = {}) => call('GET /api/events', { query, signal }),
    stream: (streamOptions: StreamOptions = {}) => openStream(http, 'GET /api/stream', undefined, streamOptions),
    /** Makes the reader of a workspace stream present in these threads, and no longer in those set before. */
    watch: (stream: string, threads: readonly string[]) =>
      call('POST /api/streams/:stream/watch', { params: { stream }, body: { threads: [...threads] } }),
    credentials: {
      list: () => call('GET /api/credentials'),
      issue: (body: RequestBody<'POST /api/credentials'>) => call('POST /api/credentials', { body }),
      revoke: (credential: string) => call('DELETE /api/credentials/:credential', { params: { credential } }),
    },
    /** The command-line agents of heddle.yaml. */
    agents: () => call('GET /api/agents'),
    models: {
      list: () => call('GET /api/models'),
      /** Adds a model to heddle.yaml; stores the name of its key, never the key. */
      add: (body: RequestBody<'POST /api/models'>) => call('POST /api/models', { body }),
      /** The models of a server, before one of them is added; the key is not kept. */
      askServer: (body: RequestBody<'POST /api/model-servers'>) => call('POST /api/model-servers', { body }),
      /** Sets fields of a model; null removes a field. */
      change: (model: string, set: RequestBody<'POST /api/models/:model'>['set']) =>
        call('POST /api/models/:model', { params: { model }, body: { set } }),
      /** Stores the model's key on the server, apart from heddle.yaml; an empty key removes it. */
      setKey: (model: string, key: string) => call('POST /api/models/:model/key', { params: { model }, body: { key } }),
      /** Returns the removed model; `add` restores it. */
      remove: (model: string) => call('DELETE /api/models/:model', { params: { model } }),
      /** Sets the default models. */
      use: (body: RequestBody<'POST /api/defaults'>) => call('POST /api/defaults', { body }),
      /** Asks a model for a few short texts. */
      test: (
        model: string,
        request: RequestBody<'POST /api/models/:model/test'> = {},
        options: ModelTestOptions = {},
      ) => testModel(http, model, request, options),
      /** The usage of all models, and the budgets. */
      usage: () => call('GET /api/usage'),
      /** Limits the usage of all models together; an empty budget means no limit. */
      setBudget: (body: RequestBody<'POST /api/budgets/workspace'>) => call('POST /api/budgets/workspace', { body }),
      /** Sets the currency of prices and budgets, by its ISO 4217 code; nothing is converted. */
      setCurrency: (code: string) => call('POST /api/currency', { body: { currency: code } }),
    },
    /** Imports an export; `body` is the file's text, or a stream of it. */
    import: (body: string | ReadableStream<Uint8Array>, options: ImportOptions = {}) => importLog(http, body, options),
    /** Rebuilds all derived data from the log. */
    rebuild: (options: WorkOptions = {}) => rebuildLog(http, options),
    /** A one-time address that signs a browser in as the caller. */
    signInLink: () => call('POST /api/signin-links', { body: {} }),
  };
}

export type Client = ReturnType<typeof createClient>;
/** The client of a single thread. */
export type ThreadClient = ReturnType<Client['thread']>;
