import { viewAuthorship } from '../../core/loom/authorship/node-spans.ts';
import type { LoomState } from '../../core/loom/state.ts';
import { viewPath } from '../../core/loom/view.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { withArticle } from '../../core/text/article.ts';
import { modeState } from '../../core/workspace.ts';
import { createSlices, turnInLine } from '../../engine/slices.ts';
import { exportLog } from '../../formats/export/export-log.ts';
import { detailsIn, type NodeDetails, treeOfState } from '../../formats/loom/state-tree.ts';
import { writeHtml } from '../../formats/loom/write/html.ts';
import { writeMarkdown } from '../../formats/loom/write/markdown.ts';
import { writeOpenLoom } from '../../formats/loom/write/openloom.ts';
import { writeSocketteer } from '../../formats/loom/write/socketteer.ts';
import { writeText, writeTextWithAuthors } from '../../formats/loom/write/text.ts';
import { eventOf } from '../../log/event-log.ts';
import type { LoomExportFormat, loomFileRoutes } from '../../protocol/loom-files.ts';
import type { Call, Handlers } from '../http/edge.ts';
import { faultLine } from '../http/errors.ts';
import { type Answered, STREAMING } from '../http/request.ts';
import { DATA_HEADERS } from '../http/security.ts';
import { createLoomImports } from '../loom/import-queue.ts';
import { type Parts, stateOf } from './context.ts';

type LoomFileRoutes = Pick<Handlers, keyof typeof loomFileRoutes>;

const PAGE = 500;
const FRAME = 64 * 1024;
const MOST_FOUND = 10;

const kinds: Record<LoomExportFormat, { readonly type: string; readonly ending: string }> = {
  jsonl: { type: 'application/jsonl', ending: 'jsonl' },
  openloom: { type: 'application/json', ending: 'openloom.json' },
  loom: { type: 'application/json', ending: 'loom.json' },
  markdown: { type: 'text/markdown', ending: 'md' },
  text: { type: 'text/plain', ending: 'txt' },
  html: { type: 'text/html', ending: 'html' },
};

/** Looms in and out of files (W26). */
export function loomFileHandlers(parts: Parts): LoomFileRoutes {
  const { engine, credentials, stopping, report } = parts;
  return {
    'POST /api/looms/import': createLoomImports(parts),

    async 'GET /api/threads/:thread/export'(call) {
      const { params, query, session } = call;
      const { format } = query;
      if (format === 'jsonl') {
        const loaded = await stateOf(engine, params.thread);
        if (isRefusal(loaded)) return loaded;
        const created = engine.clock.now();
        const lines = (signal: AbortSignal) => exportLog(engine.log, { thread: params.thread, created, signal });
        return download(call, loaded.state.thread.title, format, lines);
      }
      const details = format === 'openloom' || format === 'loom' ? await detailsOf(params.thread) : new Map();
      const loaded = await loomOf(params.thread);
      if (isRefusal(loaded)) return loaded;
      const { loom, title } = loaded;
      const { id } = session.actor;
      if (format === 'openloom' || format === 'loom') {
        const tree = treeOfState(loom, title, id, details);
        return download(call, title, format, () => (format === 'loom' ? writeSocketteer(tree) : writeOpenLoom(tree)));
      }
      const path = { title, text: viewPath(loom, params.thread, id).text, ...viewAuthorship(loom, id) };
      const write = {
        markdown: writeMarkdown,
        html: writeHtml,
        text: query.authors === 'yes' ? writeTextWithAuthors : writeText,
      };
      return { status: 200, headers: headersOf(title, format), body: write[format](path) };
    },

    async 'GET /api/threads/:thread/nodes'({ params, query }) {
      const loaded = await loomOf(params.thread);
      if (isRefusal(loaded)) return loaded;
      const { ids, byId } = loaded.loom.graph.look();
      if (byId.has(query.like)) return JSON.stringify({ nodes: [query.like] });
      const part = query.like.toLowerCase();
      const found: string[] = [];
      for (let i = 1; i < ids.length && found.length < MOST_FOUND; i++) {
        const id = (ids[i] as string).toLowerCase();
        if (id.endsWith(part) || id.startsWith(part)) found.push(ids[i] as string);
      }
      return JSON.stringify({ nodes: found });
    },
  };

  async function loomOf(thread: string): Promise<{ loom: LoomState; title: string } | Refusal> {
    const loaded = await stateOf(engine, thread);
    if (isRefusal(loaded)) return loaded;
    const loom = modeState('loom', loaded.state);
    const { kind, title } = loaded.state.thread;
    if (loom) return { loom, title };
    return refuse(
      'wrong_kind',
      `"${title}" is ${withArticle(kind)}; this is for a loom. Any thread can be exported as jsonl.`,
      {
        thread,
      },
    );
  }

  /** Probabilities and models of all nodes, which only the log has. */
  async function detailsOf(thread: string): Promise<Map<string, NodeDetails>> {
    const details = new Map<string, NodeDetails>();
    const slices = createSlices(turnInLine);
    for (let seq = 0; ; ) {
      const rows = await engine.log.readThread(thread, seq, PAGE);
      if (rows.length === 0) return details;
      for (const row of rows) {
        for (const [node, said] of detailsIn(eventOf(row))) details.set(node, said);
        if (slices.isOver()) await slices.next();
      }
      seq += rows.length;
    }
  }

  /** Of any length, as fast as it is taken. */
  function download(
    { inbound, session: { token, credential } }: Call<'GET /api/threads/:thread/export'>,
    title: string,
    format: LoomExportFormat,
    write: (signal: AbortSignal) => Iterable<string> | AsyncIterable<string>,
  ): Answered {
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, stopping, credentials.revocation(token, credential)]);
    const sink = inbound.download(headersOf(title, format), () => leaving.abort());
    // At once, also where nobody reads and so nothing is sent.
    signal.addEventListener('abort', sink.breakOff);
    send()
      .then(() => (signal.aborted ? sink.breakOff() : sink.end()))
      .catch((error) => {
        sink.breakOff();
        if (!signal.aborted) report(faultLine(error));
      })
      .finally(() => signal.removeEventListener('abort', sink.breakOff));
    return STREAMING;

    async function send() {
      const slices = createSlices(turnInLine);
      let frame = '';
      for await (const part of write(signal)) {
        frame += part;
        if (slices.isOver()) await slices.next();
        if (frame.length < FRAME) continue;
        if (signal.aborted) return;
        sink.write(Buffer.from(frame));
        frame = '';
        await sink.drained();
      }
      sink.write(Buffer.from(frame));
      await sink.drained();
    }
  }
}

function headersOf(title: string, format: LoomExportFormat): Record<string, string> {
  const { type, ending } = kinds[format];
  const plain = title.replace(/[^\w .-]+/g, '_').trim() || 'loom';
  const full = encodeURIComponent(`${title.replace(/[/\\]/g, '_')}.${ending}`).replace(/['()*]/g, (unit) => {
    return `%${unit.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return {
    ...DATA_HEADERS,
    'content-type': `${type}; charset=utf-8`,
    'content-disposition': `attachment; filename="${plain}.${ending}"; filename*=UTF-8''${full}`,
  };
}
