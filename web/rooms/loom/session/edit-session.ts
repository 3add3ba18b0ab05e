import type { LoomEvent } from '../../../../src/core/loom/events.ts';
import { evolveLoom } from '../../../../src/core/loom/evolve.ts';
import type { LoomState } from '../../../../src/core/loom/state.ts';
import {
  applyChanges,
  bufferOf,
  commit,
  createWeave,
  growNode,
  lengthOf,
  type PendingEdit,
  pendingEdits,
  redo,
  revertCommits,
  type Scratch,
  settle,
  showPath,
  type TextChange,
  textOf,
  undo,
  type Weave,
  type WeaveCommit,
  type WeaveNode,
} from '../../../../src/core/loom/weave/weave.ts';
import { isRefusal, type Refusal, refuse } from '../../../../src/core/refusal.ts';
import { describeError } from '../../../data/session.ts';
import { createStore } from '../../../data/store.ts';
import { createFailureMessages } from './failure-message.ts';
import type { GenerationRequest } from './generation-options.ts';
import { createOutbox, parseStreamNodeId, type SentCommand } from './outbox.ts';
import { createPathFacts, isPlaceOnPath, memoizeByState, pathNodes, textOfNode } from './path-facts.ts';
import type { Replica } from './replica.ts';
import { createScratch } from './scratch.ts';
import { withShownStream } from './shown-stream.ts';
import { createStreamAuthors } from './stream-authors.ts';
import { createStreamEdits, trimHalfPair } from './stream-edits.ts';
import { trimChange } from './trim-change.ts';
import { restoreChanges, uncommittedChanges, withFinishedNodes } from './uncommitted.ts';
import { windowEdgeOf } from './window-edge.ts';

const READ_ONLY = 'You are offline, so this loom can only be read. You can write when the server is back.';

/** Changes to the text from outside the editor, in order. */
export interface TextUpdate {
  readonly changes: readonly TextChange[];
  /** The new caret position, if it has to move. */
  readonly caret?: number;
}

/**
 * The text being edited: the path of the loom with uncommitted changes, kept in
 * sync with the replica. The editor shows it and sends edits here.
 */
export function openEditSession(replica: Replica, me: string) {
  const streamEdits = createStreamEdits();
  const streamAuthors = createStreamAuthors(replica);
  const outbox = createOutbox(replica, remainderOf, (node) => isPlaceOnPath(replica.loom.get(), me, node));
  const facts = createPathFacts(me);
  const failureMessage = createFailureMessages();
  const windowEdge = memoizeByState((state) => windowEdgeOf(state, me));
  /** Increases when the look of the text changes, even if its characters do not. */
  const revision = createStore(0);
  const notice = createStore<string | undefined>(undefined);
  /** Why the last generation failed or brought less than requested. */
  const failure = createStore<string | undefined>(undefined);
  const strays = createStore<readonly PendingEdit[]>([]);
  /** By temporary id: the node that an edit was made from, for texts that the replica does not have yet. */
  const pendingOrigins = new Map<string, WeaveNode | null>();
  const scratch = createScratch(replica.id, me, () => uncommittedChanges(weave, strays.get()));
  const listeners = new Set<(update: TextUpdate) => void>();
  let weave: Weave = createWeave([]);
  /** The streaming text that the user turned to; if undefined, the first is shown. */
  let turnedTo: string | undefined;
  let switchTarget: string | undefined;
  let isOpen = false;
  let isReadOnly = false;
  let optimisticState: LoomState | undefined;
  /** Commits undone in the tree since the last text undo; redo restores these before text. */
  let commitsUndone = 0;

  const unsubscribers = [replica.onEvents(handleEvents), replica.streams.texts.watch(growStreams)];
  unsubscribers.push(strays.watch(scratch.scheduleSave));

  /** Call this once the replica is loaded. A kept loom is only read: the server's uncommitted text is not known. */
  async function start(isKept = false): Promise<void> {
    isReadOnly = isKept;
    const stored = isKept ? undefined : await scratch.load();
    weave = createWeave(visibleNodes());
    const textOfFinished = (id: string) => textOfNode(replica.loom.get(), id);
    if (stored) restore(withFinishedNodes(stored, outbox.nodeIds, textOfFinished));
    isOpen = true;
    syncWithReplica();
  }

  function restore(changes: Scratch): void {
    const restored = restoreChanges(visibleNodes(), changes, (id) => isPlaceOnPath(replica.loom.get(), me, id));
    weave = restored.weave;
    strays.set(restored.strays);
  }

  function close(): void {
    scratch.close();
    for (const stop of unsubscribers) stop();
  }

  function edit(changes: readonly TextChange[], join: boolean): Refusal | undefined {
    const result = isReadOnly ? refuse('conflict', READ_ONLY) : applyChanges(weave, changes, join);
    if (isRefusal(result)) {
      notice.set(result.refusal.message);
      return result;
    }
    const before = weave;
    weave = result.weave;
    commitsUndone = 0;
    scratch.scheduleSave();
    if (result.commit) void sendCommit('commit', {}, result.commit, before);
    return undefined;
  }

  function step(direction: 'undo' | 'redo'): void {
    const result = direction === 'undo' ? undo(weave) : commitsUndone > 0 ? undefined : redo(weave);
    if (!result) {
      commitsUndone = direction === 'undo' ? commitsUndone + 1 : Math.max(0, commitsUndone - 1);
      return void command(direction);
    }
    weave = result.weave;
    scratch.scheduleSave();
    const last = result.changes.at(-1);
    notify({ changes: result.changes, ...(last && { caret: last.from + last.insert.length }) });
  }

  /** Sends a command after all uncommitted changes; commands that accept pending changes carry them. */
  async function sendWithPending(
    name: 'commit' | 'generate' | 'switch',
    body: object,
  ): Promise<SentCommand | undefined> {
    const before = weave;
    const result = commit(weave);
    weave = result.weave;
    if (name === 'commit' && !result.commit) return undefined;
    return sendCommit(name, body, result.commit, before);
  }

  async function command(name: string, body: object = {}): Promise<SentCommand | undefined> {
    await sendWithPending('commit', {});
    return sendCommit(name, body, undefined, weave);
  }

  async function sendCommit(name: string, body: object, pendingCommit: WeaveCommit | undefined, before: Weave) {
    notice.set(undefined);
    for (const { node, as } of pendingCommit?.edits ?? []) {
      pendingOrigins.set(as, before.nodes.find(({ id }) => id === node) ?? null);
    }
    if (pendingCommit) streamEdits.add(pendingCommit, before.nodes);
    const last = before.nodes.at(-1)?.id;
    const after = pendingCommit?.edits.find(({ node }) => node === last)?.node ?? last;
    try {
      const sent = await outbox.send(name, body, pendingCommit, after);
      optimisticState = undefined;
      weave = settle(weave, sent.ids);
      scratch.save();
      syncWithReplica();
      return sent;
    } catch (error) {
      optimisticState = undefined;
      weave = revertCommits(weave);
      notice.set(`${describeError(error)} Your text is still here.`);
      scratch.save();
      syncWithReplica();
      return undefined;
    } finally {
      if (pendingCommit) streamEdits.forget(pendingCommit);
    }
  }

  /** Skips the queue: a queued command may be waiting for the very text that this stops. */
  async function stop(): Promise<void> {
    for (const { request, stopping } of replica.loom.get().openGenerations) {
      if (stopping || request.exploration !== undefined || request.requester !== me) continue;
      await sendNow('stop', { generation: request.generation });
    }
  }

  /** Goes to a node. While one switch is in flight, only the last of any further requests is sent. */
  async function goTo(node: string): Promise<void> {
    const isSwitching = switchTarget !== undefined;
    switchTarget = node;
    if (isSwitching) return;
    for (let next: string | undefined = node; next !== undefined; ) {
      predictSwitch(next);
      await sendWithPending('switch', { node: next });
      next = switchTarget === next ? undefined : switchTarget;
    }
    switchTarget = undefined;
  }

  /** Shows a switch immediately, as its event will apply it; the server's answer follows and is final. */
  function predictSwitch(to: string): void {
    if (!outbox.isSettled() || commit(weave).commit) return;
    const event = { type: 'loom.switched', from: me, to: 'all', content: { to }, thread: replica.id, meta: {}, v: 1 };
    optimisticState = evolveLoom(replica.loom.get(), { ...event, id: '', seq: 0, ts: '', hash: '' });
    const { weave: next, change } = showPath(weave, pathNodes(optimisticState, me, weave.nodes));
    weave = next;
    if (change) notifyTrimmed(change);
  }

  /** Sends one request for each model; all of them continue the same node. */
  async function generate(
    requests: readonly GenerationRequest[],
    at?: { node: string; offset: number },
  ): Promise<void> {
    turnedTo = undefined;
    failure.set(undefined);
    const [first, ...others] = requests;
    if (others.length > 0 && !at) return generateTogether(requests);
    const place = at && { at: outbox.nodeIds.get(at.node) ?? at.node, offset: at.offset };
    const sent = await (place ? command('generate', { ...first, ...place }) : sendWithPending('generate', first ?? {}));
    const requested = sent?.events.find((event) => event.type === 'generation.requested')?.content.at;
    for (const request of requested === undefined ? [] : others)
      await sendCommit('generate', { ...request, at: requested }, undefined, weave);
  }

  /** All at once: the path then goes to the first that is finished, and the others only join it. */
  async function generateTogether(requests: readonly GenerationRequest[]): Promise<void> {
    await sendWithPending('commit', {});
    const at = outbox.nodeIds.get(weave.nodes.at(-1)?.id ?? '') ?? weave.nodes.at(-1)?.id ?? 'root';
    await Promise.all(requests.map((request) => sendNow('generate', { ...request, at })));
  }

  function handleEvents(events: readonly LoomEvent[]): void {
    const message = events.map(failureMessage).findLast(Boolean);
    // Failures from before the loom was opened are not news.
    if (message && isOpen) failure.set(message);
    growStreams();
    syncWithReplica();
  }

  /** Updates the text to the path, as soon as no command of ours is in flight. */
  function syncWithReplica(): void {
    if (!isOpen || !outbox.isSettled()) return;
    adoptFinished();
    if (!outbox.isSettled()) return;
    const tip = weave.nodes.at(-1);
    const length = lengthOf(weave);
    if (tip && bufferOf(weave) !== '' && !isPlaceOnPath(replica.loom.get(), me, tip.id)) {
      // Another tab turned to another branch.
      restore(uncommittedChanges(weave, strays.get()));
      notifyTrimmed({ from: 0, to: length, insert: textOf(weave) });
    } else {
      const { weave: next, change, displaced } = showPath(weave, visibleNodes());
      weave = next;
      if (displaced.length > 0) strays.set((before) => [...before, ...displaced]);
      if (change) notifyTrimmed(change);
    }
    bumpRevision();
  }

  /** Replaces finished streaming texts by their nodes; switches to an intended one if the path leads elsewhere. */
  function adoptFinished(): void {
    for (const [index, { id }] of weave.nodes.entries()) {
      const nodeId = id.startsWith('gen:') ? outbox.nodeIds.get(id) : undefined;
      if (nodeId === undefined) continue;
      growTo(id, textOfNode(replica.loom.get(), nodeId));
      const shouldSwitch = outbox.isOffPath(id) && isIntended(id);
      weave = { ...weave, nodes: weave.nodes.with(index, { ...weave.nodes[index]!, id: nodeId }) };
      // An edit of the node stays pending.
      if (shouldSwitch) void sendNow('switch', { node: nodeId });
    }
  }

  /** True if the user turned to, edited or wrote after this text. The first choice is shown without intent, too. */
  function isIntended(streamId: string): boolean {
    if (parseStreamNodeId(streamId)?.choice !== 0 || turnedTo === streamId) return true;
    return bufferOf(weave) !== '' || pendingEdits(weave).some(({ node }) => node === streamId);
  }

  /** Events of the command may arrive before its answer, so sync the text after the answer. */
  async function sendNow(name: 'stop' | 'switch' | 'generate', body: object): Promise<void> {
    await outbox.sendNow(name, body).catch((error) => notice.set(describeError(error)));
    syncWithReplica();
  }

  function visibleNodes(): WeaveNode[] {
    const path = pathNodes(replica.loom.get(), me, weave.nodes);
    return withShownStream(path, replica.loom.get(), me, turnedTo, (id) => trimHalfPair(streamText(id)));
  }

  function streamTexts(generation: string): readonly string[] {
    return replica.streams.texts.get().get(generation) ?? [];
  }

  function growStreams(): void {
    for (const [as, streamEdit] of streamEdits.all) {
      const node = weave.nodes.findLast(({ id }) => id === as);
      const addition = trimHalfPair(streamText(streamEdit.streamId)).slice(streamEdit.shownLength);
      if (!node || addition === '') continue;
      streamEdit.shownLength += addition.length;
      const origin = pendingOrigins.get(as);
      if (origin) pendingOrigins.set(as, { ...origin, text: origin.text + addition });
      growTo(as, node.text + addition);
    }
    const streamId = weave.nodes.findLast(({ id }) => id.startsWith('gen:'))?.id;
    if (streamId !== undefined) growTo(streamId, streamText(streamId));
  }

  function growTo(id: string, text: string): void {
    const before = weave.nodes.findLast((node) => node.id === id)?.text ?? '';
    if (!text.startsWith(before)) return;
    const { weave: next, change } = growNode(weave, id, text);
    weave = next;
    if (change) notify({ changes: [change] });
  }

  /** The streaming text so far, or the full text once it is a node. */
  function streamText(streamId: string): string {
    const nodeId = outbox.nodeIds.get(streamId);
    if (nodeId !== undefined) return textOfNode(replica.loom.get(), nodeId);
    const streamParts = parseStreamNodeId(streamId);
    return (streamParts && streamTexts(streamParts.generation)[streamParts.choice]) ?? '';
  }

  /** The part of a streaming text that arrived after an edit of it was committed. */
  function remainderOf(as: string): string {
    const streamEdit = streamEdits.all.get(as);
    return streamEdit ? streamText(streamEdit.streamId).slice(streamEdit.baseLength) : '';
  }

  /** Shows another of several streaming texts. */
  function showStream(streamId: string): void {
    turnedTo = streamId;
    syncWithReplica();
  }

  function notifyTrimmed(change: TextChange): void {
    const trimmed = trimChange(change, readShownText(change.from, change.to));
    if (trimmed) notify({ changes: [trimmed] });
  }

  let readShownText: (from: number, to: number) => string = () => '';

  function currentState(): LoomState {
    return optimisticState ?? replica.loom.get();
  }

  function notify(update: TextUpdate): void {
    for (const listener of listeners) listener(update);
  }

  function bumpRevision(): void {
    revision.set((count) => count + 1);
  }

  return {
    me,
    replica,
    facts,
    revision,
    notice,
    failure,
    strays,
    pendingOrigins,
    start,
    close,
    edit,
    undo: () => step('undo'),
    redo: () => step('redo'),
    save: () => sendWithPending('commit', {}),
    command,
    goTo(node: string): Promise<void> {
      turnedTo = undefined;
      return goTo(outbox.nodeIds.get(node) ?? node);
    },
    stop,
    hasBuffer: () => bufferOf(weave) !== '',
    isSwitching: () => switchTarget !== undefined,
    generate,
    showStream,
    /** The node that a streaming text has become. */
    resolve: (id: string) => outbox.nodeIds.get(id) ?? id,
    authorOfStream: streamAuthors.of,
    setDefaultModel: streamAuthors.setDefaultModel,
    textOf: (id: string) => textOfNode(currentState(), id),
    /** The loom as the text shows it. Switching between this and another state clears the caches of both: avoid it. */
    state: currentState,
    windowEdge: () => windowEdge(currentState()),
    weave: () => weave,
    length: () => lengthOf(weave),
    saveScratch: scratch.save,
    isSaved: scratch.isSaved,
    /** Connects the editor that shows the text; `slice` reads what it shows. */
    attach(listener: (update: TextUpdate) => void, slice: (from: number, to: number) => string): () => void {
      listeners.add(listener);
      readShownText = slice;
      return () => void listeners.delete(listener);
    },
  };
}

export type EditSession = ReturnType<typeof openEditSession>;
