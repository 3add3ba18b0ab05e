import { viewAuthorship } from '../../core/loom/authorship/node-spans.ts';
import { viewPath } from '../../core/loom/view.ts';
import { isRefusal } from '../../core/refusal.ts';
import { createSlices, waitInLine } from '../../engine/slices.ts';
import { exportLog } from '../../formats/export/export-log.ts';
import { type NodeDetails, nodeDetailsIn, treeOfState } from '../../formats/loom/state-tree.ts';
import { writeHtml } from '../../formats/loom/write/html.ts';
import { writeMarkdown } from '../../formats/loom/write/markdown.ts';
import { writeOpenLoom } from '../../formats/loom/write/openloom.ts';
import { writeSocketteer } from '../../formats/loom/write/socketteer.ts';
import { writeText, writeTextWithAuthors } from '../../formats/loom/write/text.ts';
import { eventOf } from '../../log/event-log.ts';
import type { LoomExportFormat } from '../../protocol/loom-files.ts';
import type { RouteCall, RouteHandlers } from '../http/edge.ts';
import { faultLine } from '../http/errors.ts';
import { type ResponseOrStream, STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { createLoomImporter } from '../loom/import-queue.ts';
import { loadThread, type RouteContext } from './context.ts';
import { createViews, loadMode } from './views.ts';

const PAGE_SIZE = 500;
const FRAME_SIZE = 64 * 1024;
const MAX_MATCHES = 10;

const fileTypes: Record<LoomExportFormat, { readonly type: string; readonly extension: string }> = {
  jsonl: { type: 'application/jsonl', extension: 'jsonl' },
  openloom: { type: 'application/json', extension: 'openloom.json' },
  loom: { type: 'application/json', extension: 'loom.json' },
  markdown: { type: 'text/markdown', extension: 'md' },
  text: { type: 'text/plain', extension: 'txt' },
  html: { type: 'text/html', extension: 'html' },
};

/** Handlers that import and export looms as files (W26). */
export function loomFileHandlers(context: RouteContext) {
  const { engine, credentials, stopping, report } = context;
  return {
    'POST /api/looms/import': createLoomImporter(context),

    async 'GET /api/threads/:thread/export'(call) {
      const { params, query, session } = call;
      const { format } = query;
      if (format === 'jsonl') {
        const loaded = await loadThread(engine, params.thread);
        if (isRefusal(loaded)) return loaded;
        const created = engine.clock.now();
        const lines = (signal: AbortSignal) => exportLog(engine.log, { thread: params.thread, created, signal });
        return download(call, loaded.state.thread.title, format, lines);
      }
      const details = format === 'openloom' || format === 'loom' ? await loadDetails(params.thread) : new Map();
      const loaded = await loadLoom(params.thread);
      if (isRefusal(loaded)) return loaded;
      const { state: loom, title } = loaded;
      const { id } = session.actor;
      if (format === 'openloom' || format === 'loom') {
        const tree = treeOfState(loom, title, id, details);
        return download(call, title, format, () => (format === 'loom' ? writeSocketteer(tree) : writeOpenLoom(tree)));
      }
      const path = { title, text: viewPath(loom, params.thread, id).text, ...viewAuthorship(loom, id) };
      const writers = {
        markdown: writeMarkdown,
        html: writeHtml,
        text: query.authors === 'yes' ? writeTextWithAuthors : writeText,
      };
      return { status: 200, headers: headersOf(title, format), body: writers[format](path) };
    },

    'GET /api/threads/:thread/nodes': createViews(loadLoom)(({ state }, { query }) => {
      const { ids, byId } = state.graph.read();
      if (byId.has(query.like)) return JSON.stringify({ nodes: [query.like] });
      const fragment = query.like.toLowerCase();
      const matches: string[] = [];
      for (let i = 1; i < ids.length && matches.length < MAX_MATCHES; i++) {
        const id = (ids[i] as string).toLowerCase();
        if (id.endsWith(fragment) || id.startsWith(fragment)) matches.push(ids[i] as string);
      }
      return JSON.stringify({ nodes: matches });
    }),
  } satisfies Partial<RouteHandlers>;

  function loadLoom(thread: string) {
    return loadMode(engine, thread, 'loom', 'this format needs a loom. Any thread can be exported as jsonl');
  }

  /** Loads the probabilities and models of all nodes, which only the log holds. */
  async function loadDetails(thread: string): Promise<Map<string, NodeDetails>> {
    const details = new Map<string, NodeDetails>();
    const slices = createSlices(waitInLine);
    for (let seq = 0; ; ) {
      const rows = await engine.log.readThread(thread, seq, PAGE_SIZE);
      if (rows.length === 0) return details;
      for (const row of rows) {
        for (const [node, nodeDetails] of nodeDetailsIn(eventOf(row))) details.set(node, nodeDetails);
        if (slices.isOver()) await slices.next();
      }
      seq += rows.length;
    }
  }

  /** Streams a file of any length at the reader's pace. */
  function download(
    { inbound, session: { token, credential } }: RouteCall<'GET /api/threads/:thread/export'>,
    title: string,
    format: LoomExportFormat,
    write: (signal: AbortSignal) => Iterable<string> | AsyncIterable<string>,
  ): ResponseOrStream {
    const disconnect = new AbortController();
    const signal = AbortSignal.any([disconnect.signal, stopping, credentials.revocation(token, credential)]);
    const sink = inbound.download(headersOf(title, format), () => disconnect.abort());
    // Abort at once, even if the reader has stalled and nothing is being sent.
    signal.addEventListener('abort', sink.abort);
    send()
      .then(() => (signal.aborted ? sink.abort() : sink.end()))
      .catch((error) => {
        sink.abort();
        if (!signal.aborted) report(faultLine(error));
      })
      .finally(() => signal.removeEventListener('abort', sink.abort));
    return STREAMING;

    async function send() {
      const slices = createSlices(waitInLine);
      let frame = '';
      for await (const chunk of write(signal)) {
        frame += chunk;
        if (slices.isOver()) await slices.next();
        if (frame.length < FRAME_SIZE) continue;
        if (signal.aborted) return;
        sink.write(Buffer.from(frame));
        frame = '';
        await sink.whenDrained();
      }
      sink.write(Buffer.from(frame));
      await sink.whenDrained();
    }
  }
}

function headersOf(title: string, format: LoomExportFormat): Record<string, string> {
  const { type, extension } = fileTypes[format];
  const asciiName = title.replace(/[^\w .-]+/g, '_').trim() || 'loom';
  const encodedName = encodeURIComponent(`${title.replace(/[/\\]/g, '_')}.${extension}`).replace(/['()*]/g, (unit) => {
    return `%${unit.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return {
    ...DATA_HEADERS,
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${asciiName}.${extension}"; filename*=UTF-8''${encodedName}`,
  };
}
