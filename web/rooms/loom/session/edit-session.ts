import type { WireEvent } from '../../../../src/client/index.ts';
import type { Event } from '../../../../src/core/events/event.ts';
import { evolveLoom } from '../../../../src/core/loom/evolve.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import {
  apply,
  bufferOf,
  type Change,
  type Commit,
  commit,
  createWeave,
  growNode,
  lengthOf,
  type PendingEdit,
  pendingOf,
  redo,
  type ScratchEdit,
  settle,
  showPath,
  takeBack,
  undo,
  type Weave,
  type WeaveNode,
} from '../../../../src/core/loom/weave/weave.ts';
import { isRefusal, type Refusal } from '../../../../src/core/refusal.ts';
import { sentenceFor } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';
import { createFailureWords } from './failure-message.ts';
import { createOutbox, growingName, growingParts, type Sent } from './outbox.ts';
import { byState, createFacts, pathNodes, textOfNode } from './path-facts.ts';
import type { Replica } from './replica.ts';
import { createScratch } from './scratch.ts';
import { createGrowths, whole } from './stream-edits.ts';
import { windowEdgeOf } from './window-edge.ts';

/** What happened to the text from outside the editor, one change after the other. */
export interface Told {
  readonly changes: readonly Change[];
  /** Where the caret is to be, if it has to move. */
  readonly caret?: number;
}

export interface GenerationWish {
  readonly model?: string;
  readonly n?: number;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly fill?: true;
}

/**
 * The text somebody works on: the path of the loom with what is not committed,
 * kept in step with the replica. The editor shows it and sends edits here.
 */
export function openDesk(replica: Replica, me: string) {
  const growths = createGrowths();
  const outbox = createOutbox(replica, restOf);
  const facts = createFacts(me);
  const failureWords = createFailureWords();
  const windowEdge = byState((state) => windowEdgeOf(state, me));
  /** Counts whatever changes how the text looks, its characters apart. */
  const look = createStore(0);
  const notice = createStore<string | undefined>(undefined);
  const strays = createStore<readonly PendingEdit[]>([]);
  /** Whose texts not known to the replica are: of which node they were edited. */
  const underWay = new Map<string, WeaveNode | null>();
  const scratch = createScratch(replica.id, me, () => weave);
  const listeners = new Set<(told: Told) => void>();
  let weave: Weave = createWeave([]);
  /** The growing text that the person turned to; without one, the first is shown. */
  let choice: number | undefined;
  let wanted: string | undefined;
  let usualModel = 'small';
  let isOpen = false;
  let guess: LoomState | undefined;
  /** Taken back in the tree since text was: these come again before text does. */
  let commitsUndone = 0;

  const stops = [replica.onEvents(heard), replica.streams.growing.watch(grown)];

  /** Once the replica is read. */
  async function begin(): Promise<void> {
    await scratch.load();
    const nodes = shownNodes();
    const restored = scratch.restore(nodes, finished);
    weave = restored?.weave ?? createWeave(nodes);
    strays.set(restored?.strays ?? []);
    isOpen = true;
    sync();
  }

  function close(): void {
    scratch.close();
    for (const stop of stops) stop();
  }

  function edit(changes: readonly Change[], join: boolean): Refusal | undefined {
    const applied = apply(weave, changes, join);
    if (isRefusal(applied)) {
      notice.set(applied.refusal.message);
      return applied;
    }
    const before = weave;
    weave = applied.weave;
    commitsUndone = 0;
    scratch.changed();
    if (applied.commit) void sendCommit('commit', {}, applied.commit, before);
    return undefined;
  }

  function step(way: 'undo' | 'redo'): void {
    const stepped = way === 'undo' ? undo(weave) : commitsUndone > 0 ? undefined : redo(weave);
    if (!stepped) {
      commitsUndone = way === 'undo' ? commitsUndone + 1 : Math.max(0, commitsUndone - 1);
      return void command(way);
    }
    weave = stepped.weave;
    scratch.changed();
    const last = stepped.changes.at(-1);
    tell({ changes: stepped.changes, ...(last && { caret: last.from + last.insert.length }) });
  }

  /** A command after everything that is not committed; what is pending goes with those that take it. */
  async function withPending(name: 'commit' | 'generate' | 'switch', body: object): Promise<Sent | undefined> {
    const before = weave;
    const due = commit(weave);
    weave = due.weave;
    if (name === 'commit' && !due.commit) return undefined;
    return sendCommit(name, body, due.commit, before);
  }

  async function command(name: string, body: object = {}): Promise<Sent | undefined> {
    await withPending('commit', {});
    return sendCommit(name, body, undefined, weave);
  }

  async function sendCommit(name: string, body: object, due: Commit | undefined, before: Weave) {
    notice.set(undefined);
    for (const { node, as } of due?.edits ?? []) {
      underWay.set(as, before.nodes.find(({ id }) => id === node) ?? null);
    }
    if (due) growths.add(due, before.nodes);
    const last = before.nodes.at(-1)?.id;
    const after = due?.edits.find(({ node }) => node === last)?.node ?? last;
    try {
      const sent = await outbox.send(name, body, due, after);
      guess = undefined;
      weave = settle(weave, sent.ids);
      scratch.save();
      sync();
      return sent;
    } catch (error) {
      guess = undefined;
      weave = takeBack(weave);
      notice.set(`${sentenceFor(error)} Your text is still here.`);
      scratch.save();
      sync();
      return undefined;
    } finally {
      if (due) growths.forget(due);
    }
  }

  /** Not behind what is on its way: that may be waiting for the very text that is to end. */
  async function stop(): Promise<void> {
    for (const { request, stopping } of replica.loom.get().open) {
      if (stopping || request.exploration !== undefined || request.requester !== me) continue;
      await sendNow('stop', { generation: request.generation });
    }
  }

  /** Goes to a node. Of many wishes while one is on its way, only the last is sent. */
  async function goTo(node: string): Promise<void> {
    const isRunning = wanted !== undefined;
    wanted = node;
    if (isRunning) return;
    for (let next: string | undefined = node; next !== undefined; ) {
      foresee(next);
      await withPending('switch', { node: next });
      next = wanted === next ? undefined : wanted;
    }
    wanted = undefined;
  }

  /** A switch is shown at once, as its event will have it; the server's word comes a moment later and stands. */
  function foresee(to: string): void {
    if (!outbox.isSettled() || commit(weave).commit) return;
    const event = { type: 'loom.switched', from: me, content: { to }, id: '', seq: 0, ts: '', meta: {} };
    guess = evolveLoom(replica.loom.get(), event as unknown as Event);
    const { weave: next, change } = showPath(weave, pathNodes(guess, me, weave.nodes));
    weave = next;
    if (change) tellTrimmed(change);
  }

  async function generate(wish: GenerationWish, at?: { node: string; offset: number }): Promise<void> {
    choice = undefined;
    if (!at) return void (await withPending('generate', wish));
    await command('generate', { ...wish, at: outbox.real.get(at.node) ?? at.node, offset: at.offset });
  }

  function heard(events: readonly WireEvent[]): void {
    const words = events.map(failureWords).findLast(Boolean);
    // What had failed before the loom was opened is no news.
    if (words && isOpen) notice.set(words);
    grown();
    sync();
  }

  /** The text follows the path, as soon as nothing of ours is on its way. */
  function sync(): void {
    if (!isOpen || !outbox.isSettled()) return;
    nameFinished();
    if (!outbox.isSettled()) return;
    const { weave: next, change, displaced } = showPath(weave, shownNodes());
    weave = next;
    if (displaced.length > 0) strays.set((before) => [...before, ...displaced]);
    if (change) tellTrimmed(change);
    redraw();
  }

  /** A text that was being written has become a node; if it was meant and the path leads to another, it is gone to. */
  function nameFinished(): void {
    for (const [index, { id }] of weave.nodes.entries()) {
      const real = id.startsWith('gen:') ? outbox.real.get(id) : undefined;
      if (real === undefined) continue;
      grow(id, textOfNode(replica.loom.get(), real));
      const isToGoTo = outbox.isBeside(id) && isMeant(id);
      weave = { ...weave, nodes: weave.nodes.with(index, { ...weave.nodes[index]!, id: real }) };
      // An edit of it stays pending.
      if (isToGoTo) void sendNow('switch', { node: real });
    }
  }

  /** Turned to, edited or written after; the first is shown to those who did none of it, too. */
  function isMeant(growing: string): boolean {
    if (growingParts(growing)?.choice !== 0 || choice === 0) return true;
    return bufferOf(weave) !== '' || pendingOf(weave).some(({ node }) => node === growing);
  }

  /** What it brings about may be heard of before its answer: the text follows then. */
  async function sendNow(name: 'stop' | 'switch', body: object): Promise<void> {
    await outbox.now(name, body).catch((error) => notice.set(sentenceFor(error)));
    sync();
  }

  function shownNodes(): WeaveNode[] {
    const nodes = pathNodes(replica.loom.get(), me, weave.nodes);
    const own = ownGrowing(nodes.at(-1)?.id ?? 'root');
    if (own) nodes.push({ id: growingName(own, choice ?? 0), text: whole(growingTexts(own)[choice ?? 0] ?? '') });
    return nodes;
  }

  /** What I asked for after the end of my path, which is shown in the text as it comes. */
  function ownGrowing(tip: string): string | undefined {
    return replica.loom
      .get()
      .open.findLast(({ request }) => request.requester === me && request.at === tip && !request.exploration)?.request
      .generation;
  }

  /** Who is writing a generation. */
  function writing(generation: string): { readonly author: string; readonly kind: 'model' } {
    const { open, settings } = replica.loom.get();
    const asked = open.find(({ request }) => request.generation === generation)?.request.model;
    return { author: idOfModel(asked ?? settings.model ?? usualModel), kind: 'model' };
  }

  function growingTexts(generation: string): readonly string[] {
    return replica.streams.growing.get().get(generation) ?? [];
  }

  function grown(): void {
    for (const [as, growth] of growths.all) {
      const node = weave.nodes.findLast(({ id }) => id === as);
      const more = whole(textOfGrowth(growth.name)).slice(growth.seen);
      if (!node || more === '') continue;
      growth.seen += more.length;
      const origin = underWay.get(as);
      if (origin) underWay.set(as, { ...origin, text: origin.text + more });
      grow(as, node.text + more);
    }
    const name = weave.nodes.findLast(({ id }) => id.startsWith('gen:'))?.id;
    if (name !== undefined) grow(name, textOfGrowth(name));
  }

  function grow(id: string, text: string): void {
    const before = weave.nodes.findLast((node) => node.id === id)?.text ?? '';
    if (!text.startsWith(before)) return;
    const { weave: next, change } = growNode(weave, id, text);
    weave = next;
    if (change) tell({ changes: [change] });
  }

  /** What has come of a growing text, or all of it once it is a node. */
  function textOfGrowth(name: string): string {
    const real = outbox.real.get(name);
    if (real !== undefined) return textOfNode(replica.loom.get(), real);
    const parts = growingParts(name);
    return (parts && growingTexts(parts.generation)[parts.choice]) ?? '';
  }

  /** What came of a text after an edit of it was committed. */
  function restOf(as: string): string {
    const growth = growths.all.get(as);
    return growth ? textOfGrowth(growth.name).slice(growth.base) : '';
  }

  /** An edit kept while its text was being written, as one of the node that came of it. */
  function finished(edit: ScratchEdit): ScratchEdit {
    const node = outbox.real.get(edit.node);
    if (node === undefined) return edit;
    const original = textOfNode(replica.loom.get(), node);
    if (!original.startsWith(edit.original)) return { ...edit, node };
    return { ...edit, node, original, current: edit.current + original.slice(edit.original.length) };
  }

  /** While several are being written: shows another of them. */
  function showGrowing(next: number): void {
    choice = next;
    sync();
  }

  function tellTrimmed({ from, to, insert }: Change): void {
    const old = shownText(from, to);
    const most = Math.min(old.length, insert.length);
    let same = 0;
    while (same < most && old.charCodeAt(same) === insert.charCodeAt(same)) same++;
    let behind = 0;
    while (
      behind < most - same &&
      old.charCodeAt(old.length - 1 - behind) === insert.charCodeAt(insert.length - 1 - behind)
    )
      behind++;
    if (same + behind === old.length && old.length === insert.length) return;
    tell({ changes: [{ from: from + same, to: to - behind, insert: insert.slice(same, insert.length - behind) }] });
  }

  let shownText: (from: number, to: number) => string = () => '';

  function shownState(): LoomState {
    return guess ?? replica.loom.get();
  }

  function tell(told: Told): void {
    for (const listener of listeners) listener(told);
  }

  function redraw(): void {
    look.set((count) => count + 1);
  }

  return {
    me,
    replica,
    facts,
    look,
    notice,
    strays,
    underWay,
    begin,
    close,
    edit,
    undo: () => step('undo'),
    redo: () => step('redo'),
    save: () => withPending('commit', {}),
    command,
    goTo: (node: string) => goTo(outbox.real.get(node) ?? node),
    stop,
    generate,
    showGrowing,
    ownGrowing,
    writing,
    usualModel: (name: string) => {
      usualModel = name;
    },
    textOf: (id: string) => textOfNode(shownState(), id),
    /** The loom as the text shows it. To look at another state of it now and then costs both what they had worked out. */
    state: shownState,
    windowEdge: () => windowEdge(shownState()),
    weave: () => weave,
    length: () => lengthOf(weave),
    keep: scratch.save,
    /** The editor that shows the text, and what it shows. */
    attach(listener: (told: Told) => void, slice: (from: number, to: number) => string): () => void {
      listeners.add(listener);
      shownText = slice;
      return () => void listeners.delete(listener);
    },
  };
}

export type Desk = ReturnType<typeof openDesk>;

/** A model writes under its name as an id is written. */
function idOfModel(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9._-]/g, '-');
}
