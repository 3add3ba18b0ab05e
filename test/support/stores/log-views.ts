import type { Dialogue } from '../../../src/core/dialogue/state.ts';
import { awayView } from '../../../src/core/dialogue/view/away.ts';
import { provenanceOf } from '../../../src/core/dialogue/view/provenance.ts';
import type { DialogueAttention } from '../../../src/core/dialogue/view/schema.ts';
import { draftsView, historyView, iterationView, statusView } from '../../../src/core/dialogue/view/view.ts';
import { canonicalJson } from '../../../src/core/events/canonical.ts';
import type { Event } from '../../../src/core/events/event.ts';
import { compareExchanges } from '../../../src/core/exchange/branches/compare.ts';
import type { Exchange } from '../../../src/core/exchange/state.ts';
import {
  auditsView,
  driftView,
  entriesView,
  exchangeStatus,
  powersView,
  roundsView,
  termsView,
} from '../../../src/core/exchange/view/view.ts';
import { viewAuthorship, viewSpans } from '../../../src/core/loom/authorship/node-spans.ts';
import type { LoomState } from '../../../src/core/loom/state.ts';
import { viewTree } from '../../../src/core/loom/tree.ts';
import { viewNode, viewPath } from '../../../src/core/loom/view.ts';
import { clusterTable, clusterTimeline } from '../../../src/core/pool/view.ts';
import { placeOfText, textsOf } from '../../../src/core/search/texts.ts';
import type { ThreadSummary } from '../../../src/core/threads/view/schema.ts';
import { viewThread } from '../../../src/core/threads/view/view.ts';
import { modeState, type State, workspace } from '../../../src/core/workspace.ts';
import { createStates } from '../../../src/engine/states.ts';
import { type EventLog, eventOf } from '../../../src/log/event-log.ts';
import { sha256 } from '../../../src/log/seal.ts';

/** Later than every event of a log. */
const NOW = '2027-01-01T00:00:00.000Z';
const PEOPLE = ['ana', 'ben'];
/** What is longer is told by its hash: the terms that come with an exchange are long. */
const LONGEST = 200;
/** Of a fork, whose parent's views have the rest. */
const NEWEST = 3;
const STEPS = /^[0-9a-f]{8}( [0-9a-f]{8})*$/;

/** What people see of a log: of every thread, what the server would answer; of every event, what is found of it. */
export async function viewsOf(log: EventLog): Promise<unknown> {
  const events = (await log.readAll(0, Number.MAX_SAFE_INTEGER)).map(eventOf);
  const states = createStates(log, workspace);
  const threads = new Map<string, State>();
  for (const { thread } of events) {
    if (!threads.has(thread)) threads.set(thread, (await states.load(thread))?.state as State);
  }
  const first = [...threads.values()].flatMap((state) => modeState('exchange', state) ?? []).at(0);
  const views = {
    threads: Object.fromEntries([...threads].map(([id, state]) => [id, threadViews(state, first)])),
    steps: Object.fromEntries(await Promise.all([...threads.keys()].map(async (id) => [id, await stepsOf(log, id)]))),
    texts: Object.fromEntries(
      events.flatMap((event) => {
        const state = threads.get(event.thread) as State;
        const texts = textsOf(event).map((text, i) => ({ ...text, place: placeOfText(text, i, event, state) }));
        return texts.length === 0 ? [] : [[event.id, texts]];
      }),
    ),
  };
  return JSON.parse(JSON.stringify(views, (_, value) => shortened(inEarlierWords(value))));
}

/** Sentences that are said otherwise since, with the words that earlier versions had. */
const EARLIER_WORDS: readonly (readonly [now: RegExp, then: string])[] = [
  [/ounds are running(\.$|, waiting)/, 'ounds are under way$1'],
  [/the rounds continue when it is resumed\.$/, 'the rounds go on when it is resumed.'],
  [/ was asked to reply$/, ' was prodded'],
  [/You can also continue without one\.$/, 'You can also go on without one.'],
  [/^in a small thread, a human’s message wakes every agent/, 'in a small thread every agent hears a human'],
  [
    /^agents have woken each other once since a human wrote/,
    'agents have woken agents 1 times in a row since a human wrote',
  ],
  [/^agents have woken each other (\d+ times in a row since)/, 'agents have woken agents $1'],
  [/a human can let it continue$/, 'a human may let it continue'],
];

function inEarlierWords(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return EARLIER_WORDS.reduce((text, [now, then]) => text.replace(now, then), value);
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > LONGEST && !STEPS.test(value) ? `sha256 ${sha256(value)}` : value;
}

function threadViews(state: State, first: Exchange | undefined) {
  const { dialogue, exchange, loom } = modesOf(state);
  const newest = state.thread.forkedFrom ? NEWEST : Number.MAX_SAFE_INTEGER;
  return {
    summary: withoutExcerpts(withoutFaces(workspace.summary(state))),
    view: withoutExcerpts(withoutCount(viewThread(state.thread, NOW))),
    jobs: jobsOf(state),
    ...(dialogue && { dialogue: dialogueViews(dialogue, newest) }),
    ...(exchange && { exchange: exchangeViews(exchange, newest, first) }),
    ...(loom && { loom: loomViews(loom, state.thread.id, newest) }),
  };
}

/** Before the state of a thread counted its messages. */
function withoutCount({ messages: _, ...view }: ReturnType<typeof viewThread>) {
  return view;
}

/** People are looked up for the whole workspace, and no list of threads shows those of one (T37). */
function withoutFaces({ faces: _, cast: _cast, ...summary }: ReturnType<typeof workspace.summary>) {
  return summary;
}

function dialogueViews(state: Dialogue, newest: number) {
  const turns = [...state.turns.slice(), ...(state.open ? [state.open] : [])];
  return {
    status: withCommands(statusView(state)),
    unserved: unserved(withCommands(statusView(state, false))),
    drafts: turns.map((turn) => draftsView(state, turn)),
    history: { turns: historyView(state).turns.map(({ asked: _, drafts: __, ...turn }) => turn) },
    iterations: state.iterations
      .slice()
      .map((_, i) => iterationView(state, i + 1))
      .slice(-newest),
    away: awayView(state),
    provenance: turns.flatMap((turn) => Array.from(turn.drafts, (draft) => provenanceOf(turn, draft))),
    clusters: clusterTable(state.pool),
    timeline: clusterTimeline(state.pool, 1000),
    config: state.config,
  };
}

function exchangeViews(state: Exchange, limit: number, first: Exchange | undefined) {
  const { now, announced, versions } = termsView(state);
  return {
    status: exchangeStatus(state),
    unserved: unserved(exchangeStatus(state, false)),
    rounds: roundsView(state, { limit }),
    audits: auditsView(state, { limit }),
    entries: entriesView(state, { limit }),
    terms: { now, announced, versions: versions.slice(0, limit).map(({ terms: _, ...version }) => version) },
    powers: powersView(state).roles.map(({ role, actors }) => ({ role, actors })),
    drift: driftView(state),
    ...(first && first !== state && { compared: compareExchanges(first, state) }),
    clusters: clusterTable(state.pool),
    timeline: clusterTimeline(state.pool, 1000),
  };
}

function loomViews(state: LoomState, thread: string, newest: number) {
  const { node: nodes } = viewTree(state, 'ana', 0, 1000);
  return {
    settings: state.settings,
    paths: PEOPLE.map((who) => viewPath(state, thread, who)),
    trees: PEOPLE.map((who) => viewTree(state, who, 0, 1000)),
    authorship: PEOPLE.map((who) => viewAuthorship(state, who)),
    nodes: nodes
      .slice(-newest)
      .map((node) => ({ ...viewNode(state, node, 'ana', sha256), spans: viewSpans(state, node) })),
  };
}

/** After each event of a thread, a hash of what is seen then, both where it was written and where it was imported. */
async function stepsOf(log: EventLog, thread: string): Promise<string> {
  const events = (await log.readThread(thread, 0, Number.MAX_SAFE_INTEGER)).map(eventOf);
  const written = foldedViews(thread, events);
  const imported = foldedViews(
    thread,
    events.map((event) => ({ ...event, imported: true })),
  );
  const hashes = events.map((_, i) => sha256(canonicalJson([written[i], imported[i]])).slice(0, 8));
  return hashes.filter((_, i) => events[i]?.thread === thread).join(' ');
}

function foldedViews(thread: string, events: readonly Event[]) {
  let state = workspace.initial(thread);
  return events.map((event) => {
    state = workspace.evolve(state, event);
    const { dialogue, exchange, loom } = modesOf(state);
    return asShownNow({
      ...{
        summary: withoutExcerpts(withoutFaces(workspace.summary(state))),
        view: withoutExcerpts(withoutCount(viewThread(state.thread, event.ts))),
        jobs: jobsOf(state),
      },
      ...(dialogue && { status: withCommands(statusView(dialogue)), drafts: draftsView(dialogue) }),
      ...(exchange && { status: exchangeStatus(exchange), entries: entriesView(exchange, { limit: NEWEST }) }),
      ...(loom && { paths: PEOPLE.map((who) => viewPath(loom, thread, who)), tree: viewTree(loom, 'ana', 0, 1000) }),
    });
  });
}

/** Views as earlier versions gave them, without what later ones show otherwise on purpose; each is named here. */
export function asShownNow(views: unknown) {
  // Before dialogues and exchanges shared their runs, a dialogue's run that went on or ended still told why it was held.
  return JSON.parse(JSON.stringify(views), (key, value) =>
    key === 'run' && value?.state ? withoutPause(value) : inEarlierWords(value),
  );
}

function withoutPause({ reason, why, ...run }: Readonly<Record<string, unknown>>) {
  return { ...run, ...(run.state !== 'running' && { reason }), ...(run.state === 'paused' && { why }) };
}

/** Before a dialogue's attention named what leads on, its reason had the terminal's commands in it. */
function withCommands<Status extends { readonly attention: DialogueAttention }>(status: Status): Status {
  const { level, reason, next } = status.attention;
  if (!next) return status;
  const accept = next.includes('accept') ? ', "mind accept" takes it' : '';
  const run = reason.endsWith('was interrupted.') ? 'continues it' : 'continues';
  const commands = next[0] === 'start' ? ' ("mind run" starts it)' : ` ("mind run" ${run}${accept})`;
  return { ...status, attention: { level, reason: reason.replace(/\.$/, `${commands}.`) } };
}

/** Before rows told in brief what waits, for the cards of the inbox. */
function withoutExcerpts<Row extends ThreadSummary>({ about, wants, ...row }: Row) {
  const {
    by: _by,
    text: _text,
    words: _words,
    confidence: _confidence,
    round: _round,
    request: _request,
    ...facts
  } = (about ?? {}) as Facts;
  const { by: _auditor, text: _excerpt, ...audit } = (facts.audit ?? {}) as Facts;
  const { index: _index, text: _draft, reply_to: _answers, ...drafts } = (wants?.drafts ?? {}) as Facts;
  return {
    ...row,
    ...(about !== undefined && { about: { ...facts, ...(facts.audit !== undefined && { audit }) } }),
    ...(wants && { wants: { ...wants, ...(wants.drafts && { drafts }) } }),
  };
}

type Facts = Readonly<Record<string, unknown>>;

function modesOf(state: State) {
  return {
    dialogue: modeState('dialogue', state),
    exchange: modeState('exchange', state),
    loom: modeState('loom', state),
  };
}

function jobsOf(state: State) {
  return workspace.jobs(state).map(({ key, kind, input }) => ({ key, kind, input }));
}

function unserved({ attention, run }: { readonly attention: unknown; readonly run?: unknown }) {
  return { attention, run };
}
