import { setImmediate as nextTurn } from 'node:timers/promises';
import { authorShown, type Event } from '../../core/events/event.ts';
import { addressOfLink, roomOf } from '../../core/link.ts';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { facetWord } from '../../core/search/facets.ts';
import { type Text, type TextKind, textKinds } from '../../core/search/kinds.ts';
import { type Query, readQuery, unanswerable } from '../../core/search/query.ts';
import { ranked } from '../../core/search/rank.ts';
import { type Shown, show } from '../../core/search/snippet.ts';
import { placeOfText, textsOf } from '../../core/search/texts.ts';
import type { ThreadSummary } from '../../core/threads/view/view.ts';
import type { State } from '../../core/workspace.ts';
import { type EventLog, eventOf } from '../../log/event-log.ts';
import { THREAD_INDEX } from '../../log/record-kinds.ts';
import type { Found, Wanted } from '../../log/search/search-index.ts';
import type { SearchAnswer, SearchHit } from '../../protocol/search.ts';
import { createSlices, turnInLine } from '../slices.ts';
import type { Loaded } from '../states.ts';
import { type Page, pageOf, textOfPage } from './cursor.ts';
import type { Indexing } from './indexer.ts';

export interface SearchWish {
  readonly q: string;
  readonly kinds?: readonly TextKind[];
  readonly from?: string;
  /** Milliseconds since 1970. */
  readonly after?: number;
  readonly before?: number;
  readonly thread?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * So many of the newest texts that answer are ranked against each other; what
 * is older comes behind them, so many at a time. A word that stands in a million
 * texts is then answered as fast as one that stands in ten.
 */
const RANKED = 100;
const TITLES = 50;
/** Large texts are not all read for an order among them. */
const READ_BYTES = 8 * 1024 * 1024;
const AT_ONCE = 50;
const FIRST_READ = 1;
/** Where the newest texts have nothing, older ones are looked into for so long. */
const LOOK_ON_MS = 1_000;

interface Parts {
  readonly log: EventLog;
  readonly indexing: Pick<Indexing, 'refresh'>;
  load(thread: string): Promise<Pick<Loaded<State>, 'state'> | undefined>;
}

interface Candidate {
  readonly n: number;
  readonly event: Event;
  readonly part: number;
  readonly text: Text;
  readonly kind: TextKind;
  readonly ts: number;
  readonly shown: Shown;
}

/** Finds texts of the whole workspace, each with a link to exactly where it stands. */
export function createSearch({ log, indexing, load }: Parts) {
  async function search(wish: SearchWish): Promise<SearchAnswer | Refusal> {
    const query = readQuery(wish.q);
    const filtered = Boolean(wish.kinds?.length || wish.from || wish.thread || wish.after || wish.before);
    const problem = unanswerable(query, filtered);
    if (problem) return problem;
    const page = pageOf(wish.cursor);
    if (isRefusal(page)) return page;
    const line = wish.thread === undefined ? undefined : await lineage(wish.thread);
    if (isRefusal(line)) return line;
    const indexed = await indexing.refresh();
    if (indexed.events === 0) return { hits: [], more: false, indexed };
    const { hits, next } = await pageFrom(page, query, wish, line);
    return { hits, more: next !== undefined, ...(next && { cursor: textOfPage(next) }), indexed };
  }

  async function pageFrom(first: Page, query: Query, wish: SearchWish, line: Line | undefined) {
    const begun = performance.now();
    for (let page = first; ; ) {
      const { candidates, top, older } = await windowAt(page, query, wish, line);
      const shown = candidates.slice(page.offset, page.offset + wish.limit);
      const offset = page.offset + shown.length;
      const next: Page | undefined =
        offset < candidates.length
          ? { ...page, under: top, offset }
          : older === undefined
            ? undefined
            : { first: false, under: older, offset: 0 };
      if (shown.length > 0 || next === undefined || performance.now() - begun > LOOK_ON_MS) {
        return { hits: await hitsOf(shown, line), next };
      }
      page = next;
      await nextTurn();
    }
  }

  /** The newest texts below a number, the best first, and the number below which the older ones are. */
  async function windowAt(
    { first, under = Number.MAX_SAFE_INTEGER }: Page,
    query: Query,
    wish: SearchWish,
    line?: Line,
  ) {
    const wanted = wantedOf(query, wish, line);
    // A thread's title is what most are looking for: it is not buried under what was said in it.
    const apart = wish.kinds?.length !== 1;
    const [{ found: titles }, { found, reached }] = await Promise.all([
      apart && first ? log.search.find(onlyTitles(wanted), under, TITLES) : { found: [] },
      log.search.find(wanted, under, RANKED),
    ]);
    const { read, candidates } = await candidatesOf(found, query, line);
    const others = apart ? candidates.filter(({ kind }) => kind !== 'title') : candidates;
    const named = await candidatesOf(titles, query, line);
    return {
      candidates: ranked([...others, ...named.candidates]),
      top: Math.min(under, 1 + Math.max(found[0]?.n ?? 0, titles[0]?.n ?? 0)),
      older: read < found.length ? found[read - 1]?.n : reached,
    };
  }

  async function candidatesOf(rows: readonly Found[], query: Query, line: Line | undefined) {
    const candidates: Candidate[] = [];
    let bytes = 0;
    let read = 0;
    const slices = createSlices(turnInLine);
    while (read < rows.length && bytes < READ_BYTES) {
      // As many more as before while texts are small: large ones are not all read at once.
      const fitting = read === 0 ? FIRST_READ : Math.ceil((READ_BYTES * read) / (8 * bytes));
      const some = rows.slice(read, read + Math.max(1, Math.min(fitting, AT_ONCE)));
      read += some.length;
      const events = new Map<number, Event>();
      for (const stored of await log.readAt(some.map(({ position }) => position))) {
        bytes += stored.body.length;
        events.set(stored.position, eventOf(stored));
      }
      for (const row of some) {
        const candidate = candidateOf(row, events.get(row.position), query, line);
        if (candidate) candidates.push(candidate);
        if (slices.isOver()) await slices.next();
      }
    }
    return { candidates, read };
  }

  async function hitsOf(candidates: readonly Candidate[], line: Line | undefined): Promise<SearchHit[]> {
    // Within a fork, what it has from its parents is shown in the fork itself.
    const threadOf = ({ event }: Candidate) => line?.thread ?? event.thread;
    const threads = [...new Set(candidates.map(threadOf))];
    const rows = new Map(await Promise.all(threads.map(async (id) => [id, await summary(id)] as const)));
    const hits: SearchHit[] = [];
    for (const candidate of candidates) {
      const row = rows.get(threadOf(candidate));
      if (row) hits.push(await hitOf(candidate, row));
    }
    return hits;
  }

  async function hitOf({ event, part, text, shown }: Candidate, row: ThreadSummary): Promise<SearchHit> {
    const room = text.at === event.id ? 'threads' : roomOf(row.kind);
    const at = needsState(text, event, row) ? await placeFromState(row.id, event, text, part) : text.at;
    return {
      thread: row.id,
      title: row.title,
      room,
      kind: text.kind,
      link: addressOfLink({ room, thread: row.id, ...(at && { at }) }),
      from: authorShown({ ...event, from: text.from ?? event.from }),
      ts: event.ts,
      parts: shown.parts,
    };
  }

  async function placeFromState(thread: string, event: Event, text: Text, part: number): Promise<string | undefined> {
    const loaded = await load(thread);
    return loaded && placeOfText(text, part, event, loaded.state);
  }

  async function summary(thread: string): Promise<ThreadSummary | undefined> {
    const row = await log.record(THREAD_INDEX, thread);
    return row === undefined ? undefined : JSON.parse(row);
  }

  async function lineage(thread: string): Promise<Line | Refusal> {
    const upTo = new Map<string, number>();
    let most = Number.POSITIVE_INFINITY;
    for (let next: string | undefined = thread; next !== undefined; ) {
      const row: ThreadSummary | undefined = await summary(next);
      if (!row) break;
      upTo.set(next, most);
      most = Math.min(most, row.forked_from?.seq ?? most);
      next = row.forked_from?.thread;
    }
    if (upTo.size > 0) return { thread, upTo };
    return refuse(
      'unknown_thread',
      `There is no thread ${thread} in this workspace. List them with "heddle threads".`,
      {
        thread,
      },
    );
  }

  return search;
}

/** A thread and those it is a fork of, each with the last event it has of them. */
interface Line {
  readonly thread: string;
  readonly upTo: ReadonlyMap<string, number>;
}

function candidateOf(
  row: Found,
  event: Event | undefined,
  query: Query,
  line: Line | undefined,
): Candidate | undefined {
  const text = event && textsOf(event)[row.part];
  if (!text || (line && event.seq > (line.upTo.get(event.thread) ?? 0))) return undefined;
  const { n, part } = row;
  return { n, part, event, text, kind: text.kind, ts: Date.parse(event.ts) || 0, shown: show(text.text, query) };
}

function wantedOf(
  { all, none }: Query,
  { kinds = [], from, after, before }: SearchWish,
  line: Line | undefined,
): Wanted {
  const lists = [
    kinds.map((kind) => facetWord('kind', kind)),
    from === undefined ? [] : [facetWord('from', from)],
    [...(line?.upTo.keys() ?? [])].map((thread) => facetWord('thread', thread)),
  ].filter((words) => words.length > 0);
  return {
    all,
    // Something must be there: where only a time is given, a text of any kind.
    any: all.length + lists.length > 0 ? lists : [textKinds.map((kind) => facetWord('kind', kind))],
    none,
    ...(after !== undefined && { after }),
    ...(before !== undefined && { before }),
  };
}

const TITLE = facetWord('kind', 'title');

function onlyTitles(wanted: Wanted): Wanted {
  return { ...wanted, any: [...wanted.any, [TITLE]] };
}

function needsState(text: Text, event: Event, row: ThreadSummary): boolean {
  return (
    text.at === undefined && text.kind !== 'title' && row.kind !== 'conversation' && event.type !== 'thread.created'
  );
}
