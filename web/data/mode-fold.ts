import type { ThreadClient, WireEvent } from '../../src/client/index.ts';
import type { Event } from '../../src/core/events/event.ts';
import { tolerantFold } from '../../src/core/events/tolerant-fold.ts';
import { cursorOf, parseCursor } from '../../src/protocol/cursor.ts';
import { threadRows } from './workspace.ts';

interface ModeParts<State> {
  readonly kind: string;
  initial(): State;
  evolve(state: State, event: Event): State;
}

/** A longer thread is not read whole: the server's views of it are read page by page. */
const MAX_EVENTS = 1000;

/**
 * The state of a dialogue or an exchange, folded in the browser by the same code as on the server, if the thread is
 * short enough to be read whole. The same views are then made here, without a request.
 */
export function createModeFold<State>(remote: ThreadClient, { kind, initial, evolve }: ModeParts<State>) {
  const fold = tolerantFold(evolve);
  let folded: { readonly state: State; readonly seq: number } | undefined;
  let foldedKind: unknown;

  async function load(): Promise<void> {
    folded = undefined;
    const lastCursor = threadRows.get()?.get(remote.id)?.last.cursor;
    if (Number(parseCursor('thread', lastCursor)) > MAX_EVENTS) return;
    const page = await remote.events({ limit: MAX_EVENTS });
    if (page.cursor !== page.head) return;
    folded = { state: initial(), seq: 0 };
    apply(page.events);
    if (foldedKind !== kind) folded = undefined; // The server says what is wrong.
  }

  function apply(events: readonly WireEvent[]): void {
    for (const event of events) if (folded && event.seq > folded.seq) folded = { state: next(event), seq: event.seq };
  }

  function next(event: WireEvent): State {
    const kindBefore = foldedKind;
    if (event.type === 'thread.created') foldedKind = (event.content as { readonly kind?: unknown }).kind;
    // A fork of a thread of another kind starts with a fresh state.
    const state = folded && foldedKind === kindBefore ? folded.state : initial();
    return fold(state, event as Event);
  }

  /** Makes a view of the fold; of a thread that is not held here, the server makes it. */
  async function answer<Answer>(view: (state: State) => object, request: () => Promise<Answer>): Promise<Answer> {
    if (!folded) return request();
    return { ...view(folded.state), head: cursorOf('thread', folded.seq) } as Answer;
  }

  return { load, apply, answer };
}

export type ModeFold<State> = ReturnType<typeof createModeFold<State>>;
