import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorLabelOf, type Event } from '../../core/events/event.ts';
import { formatLink, roomOf } from '../../core/link.ts';
import { isRefusal, type Refusal } from '../../core/refusal.ts';
import { facetWord } from '../../core/search/facets.ts';
import { type SearchText, type TextKind, textKinds } from '../../core/search/kinds.ts';
import { checkQuery, parseQuery, type SearchQuery } from '../../core/search/query.ts';
import { rankTexts } from '../../core/search/rank.ts';
import { buildSnippet, type Snippet } from '../../core/search/snippet.ts';
import { placeOfText, textsOf } from '../../core/search/texts.ts';
import { refuseUnknownThread } from '../../core/threads/decide.ts';
import { MessageVersioned } from '../../core/threads/events.ts';
import type { ThreadSummary } from '../../core/threads/view/schema.ts';
import type { State } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import type { IndexHit, IndexQuery } from '../../log/search/search-index.ts';
import type { SearchHit, SearchPage } from '../../protocol/search.ts';
import { createSlices, waitInLine } from '../slices.ts';
import type { LoadedState } from '../states.ts';
import { newestVersionsOf } from '../versions.ts';
import { formatSearchCursor, parseSearchCursor, type SearchCursor } from './cursor.ts';
import type { Indexer } from './indexer.ts';
import { createThreadFilter } from './thread-filter.ts';

export interface SearchParams {
  readonly q: string;
  readonly kinds?: readonly TextKind[];
  readonly from?: string;
  /** Milliseconds since 1970. */
  readonly after?: number;
  readonly before?: number;
  readonly thread?: string;
  /** Only in threads that have this tag. */
  readonly tag?: string;
  /** Also in archived threads. */
  readonly archived?: boolean;
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * The newest matching texts, up to this many, are ranked against each other; older ones follow in further windows of
 * this size. So a word in a million texts is found as fast as a word in ten.
 */
const MAX_RANKED = 100;
const MAX_TITLES = 50;
/** Maximum bytes to read for ranking: large texts are not all read. */
const READ_BYTES = 8 * 1024 * 1024;
const READ_BATCH = 50;
const FIRST_READ = 1;
/** Maximum time to look through older texts when the newest have no hits. */
const MAX_SEARCH_MS = 1_000;

interface SearchParts {
  readonly log: EventLog;
  readonly indexer: Pick<Indexer, 'refresh'>;
  load(thread: string): Promise<Pick<LoadedState<State>, 'state'> | undefined>;
}

interface SearchCandidate {
  readonly n: number;
  readonly event: Event;
  readonly part: number;
  readonly text: SearchText;
  readonly kind: TextKind;
  readonly ts: number;
  readonly shown: Snippet;
}

/** Searches the whole workspace; each hit links to its exact place. */
export function createSearch({ log, indexer, load }: SearchParts) {
  async function search(params: SearchParams): Promise<SearchPage | Refusal> {
    const query = parseQuery(params.q);
    const hasFilters = Boolean(
      params.kinds?.length || params.from || params.thread || params.tag || params.after || params.before,
    );
    const problem = checkQuery(query, hasFilters);
    if (problem) return problem;
    const cursor = parseSearchCursor(params.cursor);
    if (isRefusal(cursor)) return cursor;
    const ancestry = params.thread === undefined ? undefined : await readAncestry(params.thread);
    if (isRefusal(ancestry)) return ancestry;
    const indexed = await indexer.refresh();
    if (indexed.events === 0) return { hits: [], more: false, indexed };
    const { hits, next } = await pageFrom(cursor, query, params, ancestry);
    return { hits, more: next !== undefined, ...(next && { cursor: formatSearchCursor(next) }), indexed };
  }

  async function pageFrom(
    first: SearchCursor,
    query: SearchQuery,
    params: SearchParams,
    ancestry: ThreadAncestry | undefined,
  ) {
    const startedAt = performance.now();
    const selectByThread = createThreadFilter(params, readSummary);
    for (let cursor = first; ; ) {
      const { candidates: found, top, older } = await windowAt(cursor, query, params, ancestry);
      const candidates = await withoutSuperseded(await selectByThread(found));
      const visible = candidates.slice(cursor.offset, cursor.offset + params.limit);
      const offset = cursor.offset + visible.length;
      const next: SearchCursor | undefined =
        offset < candidates.length
          ? { ...cursor, under: top, offset }
          : older === undefined
            ? undefined
            : { first: false, under: older, offset: 0 };
      if (visible.length > 0 || next === undefined || performance.now() - startedAt > MAX_SEARCH_MS) {
        return { hits: await hitsOf(visible, ancestry), next };
      }
      cursor = next;
      await nextTurn();
    }
  }

  /** A window of the newest texts numbered below `under`, best first, and the number below which older ones follow. */
  async function windowAt(
    { first, under = Number.MAX_SAFE_INTEGER }: SearchCursor,
    query: SearchQuery,
    params: SearchParams,
    ancestry?: ThreadAncestry,
  ) {
    const indexQuery = indexQueryOf(query, params, ancestry);
    // Most searches look for a thread's title, so messages must not bury it.
    const hasOwnTitles = params.kinds?.length !== 1;
    const [{ hits: titles }, { hits: rows, reached }] = await Promise.all([
      hasOwnTitles && first ? log.search.find(onlyTitles(indexQuery), under, MAX_TITLES) : { hits: [] },
      log.search.find(indexQuery, under, MAX_RANKED),
    ]);
    const { read, candidates } = await candidatesOf(rows, query, ancestry);
    const others = hasOwnTitles ? candidates.filter(({ kind }) => kind !== 'title') : candidates;
    const titleCandidates = await candidatesOf(titles, query, ancestry);
    return {
      candidates: rankTexts([...others, ...titleCandidates.candidates]),
      top: Math.min(under, 1 + Math.max(rows[0]?.n ?? 0, titles[0]?.n ?? 0)),
      older: read < rows.length ? rows[read - 1]?.n : reached,
    };
  }

  /** Of a message that its author edited, only the newest version is found (T35). */
  async function withoutSuperseded(candidates: readonly SearchCandidate[]): Promise<readonly SearchCandidate[]> {
    const current = await Promise.all(candidates.map(({ event }) => isCurrent(event)));
    return candidates.filter((_, i) => current[i]);
  }

  async function isCurrent(event: Event): Promise<boolean> {
    const version = MessageVersioned.read(event)?.content;
    if (event.type !== 'message' && !version) return true;
    if (!(await readSummary(event.thread))?.edits) return !version;
    const thread = (await load(event.thread))?.state.thread;
    const message = version ? await log.byId(version.of) : undefined;
    const original = message ? eventOf(message) : event;
    const newest = thread && (await newestVersionsOf(log, thread, [original])).get(original.id);
    return version ? newest?.event === event.id : !newest;
  }

  async function candidatesOf(rows: readonly IndexHit[], query: SearchQuery, ancestry: ThreadAncestry | undefined) {
    const candidates: SearchCandidate[] = [];
    let bytes = 0;
    let read = 0;
    const slices = createSlices(waitInLine);
    while (read < rows.length && bytes < READ_BYTES) {
      // Read more at a time while texts are small; large ones are not all read at once.
      const fittingCount = read === 0 ? FIRST_READ : Math.ceil((READ_BYTES * read) / (8 * bytes));
      const batch = rows.slice(read, read + Math.max(1, Math.min(fittingCount, READ_BATCH)));
      read += batch.length;
      const events = new Map<number, Event>();
      for (const stored of await log.readAt(batch.map(({ position }) => position))) {
        bytes += stored.body.length;
        events.set(stored.position, eventOf(stored));
      }
      for (const row of batch) {
        const candidate = candidateOf(row, events.get(row.position), query, ancestry);
        if (candidate) candidates.push(candidate);
        if (slices.isOver()) await slices.next();
      }
    }
    return { candidates, read };
  }

  async function hitsOf(
    candidates: readonly SearchCandidate[],
    ancestry: ThreadAncestry | undefined,
  ): Promise<SearchHit[]> {
    // In a search within a fork, inherited texts are shown in the fork itself.
    const threadOf = ({ event }: SearchCandidate) => ancestry?.thread ?? event.thread;
    const threads = [...new Set(candidates.map(threadOf))];
    const rows = new Map(await Promise.all(threads.map(async (id) => [id, await readSummary(id)] as const)));
    const hits: SearchHit[] = [];
    for (const candidate of candidates) {
      const row = rows.get(threadOf(candidate));
      if (row) hits.push(await hitOf(candidate, row));
    }
    return hits;
  }

  async function hitOf({ event, part, text, shown }: SearchCandidate, row: ThreadSummary): Promise<SearchHit> {
    const room = text.at === event.id || MessageVersioned.is(event) ? 'threads' : roomOf(row.kind);
    const at = needsState(text, event, row) ? await placeFromState(row.id, event, text, part) : text.at;
    return {
      thread: row.id,
      title: row.title,
      room,
      kind: text.kind,
      link: formatLink({ room, thread: row.id, ...(at && { at }) }),
      from: authorLabelOf({ ...event, from: text.from ?? event.from }),
      ts: event.ts,
      parts: shown.parts,
    };
  }

  async function placeFromState(
    thread: string,
    event: Event,
    text: SearchText,
    part: number,
  ): Promise<string | undefined> {
    const loaded = await load(thread);
    return loaded && placeOfText(text, part, event, loaded.state);
  }

  async function readSummary(thread: string): Promise<ThreadSummary | undefined> {
    const row = await log.record(THREAD_INDEX, thread);
    return row === undefined ? undefined : JSON.parse(row);
  }

  async function readAncestry(thread: string): Promise<ThreadAncestry | Refusal> {
    const upTo = new Map<string, number>();
    let maxSeq = Number.POSITIVE_INFINITY;
    for (let next: string | undefined = thread; next !== undefined; ) {
      const row: ThreadSummary | undefined = await readSummary(next);
      if (!row) break;
      upTo.set(next, maxSeq);
      maxSeq = Math.min(maxSeq, row.forked_from?.seq ?? maxSeq);
      next = row.forked_from?.thread;
    }
    return upTo.size > 0 ? { thread, upTo } : refuseUnknownThread(thread);
  }

  return search;
}

/** A thread and the threads it was forked from, each with the last event inherited from it. */
interface ThreadAncestry {
  readonly thread: string;
  readonly upTo: ReadonlyMap<string, number>;
}

function candidateOf(
  row: IndexHit,
  event: Event | undefined,
  query: SearchQuery,
  ancestry: ThreadAncestry | undefined,
): SearchCandidate | undefined {
  const text = event && textsOf(event)[row.part];
  if (!text || (ancestry && event.seq > (ancestry.upTo.get(event.thread) ?? 0))) return undefined;
  const { n, part } = row;
  return {
    n,
    part,
    event,
    text,
    kind: text.kind,
    ts: Date.parse(event.ts) || 0,
    shown: buildSnippet(text.text, query),
  };
}

function indexQueryOf(
  { all, none }: SearchQuery,
  { kinds = [], from, after, before }: SearchParams,
  ancestry: ThreadAncestry | undefined,
): IndexQuery {
  const lists = [
    kinds.map((kind) => facetWord('kind', kind)),
    from === undefined ? [] : [facetWord('from', from)],
    [...(ancestry?.upTo.keys() ?? [])].map((thread) => facetWord('thread', thread)),
  ].filter((words) => words.length > 0);
  return {
    all,
    // The index query cannot be empty: if only a time is given, match texts of any kind.
    any: all.length + lists.length > 0 ? lists : [textKinds.map((kind) => facetWord('kind', kind))],
    none,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

const TITLE = facetWord('kind', 'title');

function onlyTitles(indexQuery: IndexQuery): IndexQuery {
  return { ...indexQuery, any: [...indexQuery.any, [TITLE]] };
}

function needsState(text: SearchText, event: Event, row: ThreadSummary): boolean {
  return (
    text.at === undefined && text.kind !== 'title' && row.kind !== 'conversation' && event.type !== 'thread.created'
  );
}
