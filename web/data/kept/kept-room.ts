import { createClient, type WireEvent } from '../../../src/client/index.ts';
import { coalesce } from '../store.ts';
import { answerEvents } from './answer-events.ts';
import { emptyPart, type RoomContent, type RoomPart, readRoom, writeRoom } from './room-records.ts';

/** Views of a thread that its room shows. Presence, scratch texts, files and streams are never kept. */
const VIEWS = new Set([
  ...['fold', 'conversation', 'status', 'drafts', 'history', 'iterations', 'away', 'clusters', 'config'],
  ...['exchange', 'rounds', 'audits', 'entries', 'terms', 'powers', 'drift', 'branches'],
]);
const FLUSH_MS = 300;
/** A server that was away has this long to answer before the kept state is shown. */
const PATIENCE_MS = 3_000;

/**
 * Keeps what a room reads and follows, and answers from it while the server is away (I22). The room is folded by the
 * same code from the same answers, wherever they come from.
 */
export function keepRoom(id: string, mayAnswer: () => boolean) {
  const base = `/api/threads/${encodeURIComponent(id)}/`;
  /** Answers of a load from the beginning: kept together, when it has ended. */
  let loading: RoomPart | undefined;
  /** What came since and is not written yet; undefined until the server has answered a load. */
  let received: RoomPart | undefined;
  let content: Promise<RoomContent | undefined> | undefined;
  /** What time the current load is from, if any of it is kept state. */
  let keptAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function fetchOrAnswer(request: Request): Promise<Response> {
    const path = keptPath(request);
    if (path === undefined) return fetch(request);
    const signal = mayAnswer() ? AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE_MS)]) : request.signal;
    try {
      const response = await fetch(request, { signal });
      if (isFromProxy(response)) throw new Error(`The server answered ${response.status}.`);
      if (response.ok) receive(path, response.clone());
      return response;
    } catch (error) {
      const answer = mayAnswer() && !request.signal.aborted ? await answerKept(path) : undefined;
      if (!answer) throw error;
      return answer;
    }
  }

  /** The part of the address that names the view; undefined for what is not kept. */
  function keptPath({ method, url }: Request): string | undefined {
    const { pathname, search } = new URL(url);
    if (method !== 'GET' || !pathname.startsWith(base)) return undefined;
    const [view = '', ...rest] = pathname.slice(base.length).split('/');
    const isKept = rest.length === 0 ? VIEWS.has(view) || view === 'events' : view === 'events' && rest.length === 1;
    return isKept ? pathname.slice(base.length) + search : undefined;
  }

  function receive(path: string, response: Response): void {
    response.text().then(
      (text) => {
        const part = loading ?? received;
        if (path.startsWith('events?')) part?.pages.push(text);
        else part?.answers.set(path, text);
        if (part === received) writeSoon();
      },
      () => {}, // The room has no answer either, and asks again.
    );
  }

  async function answerKept(path: string): Promise<Response | undefined> {
    content ??= readRoom(id);
    const kept = await content;
    const text = kept && textAt(kept, path);
    if (!kept || text === undefined) return undefined;
    keptAt = kept.at;
    return new Response(text, { headers: { 'content-type': 'application/json' } });
  }

  function begin(isNewLog: boolean): void {
    if (isNewLog) loading = emptyPart(true);
    keptAt = undefined;
    content = undefined;
  }

  /** Ends a load. Returns what time it is from, if it was not answered by the server alone. */
  function end(isComplete: boolean): number | undefined {
    if (isComplete && loading && keptAt === undefined) {
      received = loading;
      void write();
    }
    loading = undefined;
    return keptAt;
  }

  /** Keeps events of the stream. */
  function add(events: readonly WireEvent[]): void {
    received?.events.push(...events);
    if (received) writeSoon();
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void write(), FLUSH_MS);
  }

  const write = coalesce(async () => {
    clearTimeout(timer);
    timer = undefined;
    if (!received) return;
    const part = received;
    received = emptyPart(false);
    await writeRoom(id, part);
  });

  return {
    remote: createClient({ url: '', fetch: fetchOrAnswer }).thread(id),
    begin,
    end,
    add,
    close: () => void (timer !== undefined && write()),
  };
}

/** Something in front of a server that is away; Heddle's own errors are JSON. */
function isFromProxy({ status, headers }: Response): boolean {
  return status >= 502 && !headers.get('content-type')?.includes('json');
}

function textAt({ answers, events }: RoomContent, path: string): string | undefined {
  if (!path.startsWith('events')) return answers.get(path);
  const { pathname, searchParams } = new URL(path, 'http://kept/');
  const eventId = decodeURIComponent(pathname.slice('/events/'.length));
  if (!eventId) return JSON.stringify(answerEvents(events, searchParams));
  const event = events.find((each) => each.id === eventId);
  return event ? JSON.stringify({ event, head: answerEvents(events, new URLSearchParams())?.head }) : answers.get(path);
}
