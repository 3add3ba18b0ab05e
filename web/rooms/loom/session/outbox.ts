import { readEvent } from '../../../../src/core/events/read.ts';
import type { LoomEvent } from '../../../../src/core/loom/events.ts';
import type { WeaveCommit } from '../../../../src/core/loom/weave/weave.ts';
import type { Replica } from './replica.ts';

/** Pending changes that a command can carry; the server commits them first (W9, W10). */
interface PendingFields {
  readonly edits?: readonly { readonly node: string; readonly text: string }[];
  readonly text?: string;
  readonly after?: string;
}

/** A sent commit; `ids` maps the weave's temporary ids to the new nodes. */
export interface SentCommand {
  readonly events: readonly LoomEvent[];
  readonly ids: ReadonlyMap<string, string>;
}

/** The temporary id of a node that is still streaming. */
export function streamNodeId(generation: string, choice: number): string {
  return `gen:${generation}:${choice}`;
}

export function parseStreamNodeId(id: string): { readonly generation: string; readonly choice: number } | undefined {
  const [start, generation, choice] = id.split(':');
  return start === 'gen' && generation !== undefined ? { generation, choice: Number(choice) } : undefined;
}

/**
 * Sends the commands of one loom in order, and replaces temporary node ids by the real ones.
 * `remainderOf` returns the part of a streaming text that arrived after an edit of it was committed.
 */
export function createOutbox(
  replica: Replica,
  remainderOf: (as: string) => string,
  isOnPath: (node: string) => boolean,
) {
  const nodeIds = new Map<string, string>();
  /** Stream ids of finished choices that are on the path. */
  const shownIds = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();
  let [inFlight, lastAnsweredSeq] = [0, 0];

  replica.onEvents((events) => {
    for (const { type, content } of events) {
      if (type !== 'generation.finished') continue;
      const { generation, choices, shown } = content;
      for (const [at, { node, number = at }] of choices.entries()) {
        const id = streamNodeId(generation, number);
        nodeIds.set(id, node);
        // A path that the user has turned meanwhile does not move to it.
        if (at === shown && isOnPath(node)) shownIds.add(id);
      }
    }
  });

  /** `before` is the node that the committed buffer follows. A refusal rejects the returned promise. */
  function send(name: string, body: object, commit?: WeaveCommit, before?: string): Promise<SentCommand> {
    inFlight++;
    const sent = queue.then(() => sendCommand(name, body, commit, before)).finally(() => inFlight--);
    queue = sent.catch(() => {});
    return sent;
  }

  async function sendCommand(name: string, body: object, commit?: WeaveCommit, before?: string): Promise<SentCommand> {
    const pending = commit ? await resolvePending(commit, before) : {};
    const response = await replica.remote.command(name as never, { ...pending, ...body } as never);
    lastAnsweredSeq = Math.max(lastAnsweredSeq, ...response.events.map(({ seq }) => seq));
    const events = response.events.map(readEvent<LoomEvent>);
    const ids = commit ? committedIds(commit, events) : new Map<string, string>();
    for (const [as, id] of ids) nodeIds.set(as, id);
    replica.receive(response.events);
    return { events, ids };
  }

  /** Sends immediately, in parallel with any other command. */
  async function sendNow(name: string, body: object = {}): Promise<void> {
    inFlight++;
    try {
      const { events } = await replica.remote.command(name as never, body as never);
      lastAnsweredSeq = Math.max(lastAnsweredSeq, ...events.map(({ seq }) => seq));
      replica.receive(events);
    } finally {
      inFlight--;
    }
  }

  async function resolvePending({ edits, buffer }: WeaveCommit, before: string | undefined): Promise<PendingFields> {
    const resolvedEdits = [];
    for (const { node, text, as } of edits) {
      resolvedEdits.push({ node: await ensureOnPath(node), text: text + remainderOf(as) });
    }
    const after = buffer && before !== undefined ? await waitForNodeId(before) : undefined;
    return { edits: resolvedEdits, ...(buffer && { text: buffer.text }), ...(after !== undefined && { after }) };
  }

  /** If the edited choice is not on the path, switches to it before sending the edit. */
  async function ensureOnPath(id: string): Promise<string> {
    const node = await waitForNodeId(id);
    if (isOffPath(id)) {
      await sendNow('switch', { node });
      shownIds.add(id);
    }
    return node;
  }

  /** True for a finished choice that is not on the path. */
  function isOffPath(id: string): boolean {
    return nodeIds.has(id) && parseStreamNodeId(id) !== undefined && !shownIds.has(id);
  }

  /** Waits for the real id, which a streaming node gets when it is finished. */
  async function waitForNodeId(id: string): Promise<string> {
    const streamParts = parseStreamNodeId(id);
    while (streamParts && !nodeIds.has(id)) {
      if (!replica.streams.texts.get().has(streamParts.generation)) {
        throw new Error('the text you edited was never finished');
      }
      await new Promise<void>((resolve) => {
        const stop = replica.onEvents(() => {
          stop();
          resolve();
        });
      });
    }
    return nodeIds.get(id) ?? id;
  }

  function committedIds({ edits, buffer }: WeaveCommit, events: readonly LoomEvent[]): Map<string, string> {
    const commitContent = events.find((event) => event.type === 'loom.committed')?.content;
    const ids = new Map<string, string>();
    for (const { node, as } of edits) {
      const from = nodeIds.get(node) ?? node;
      ids.set(as, commitContent?.edits.find((edit) => edit.from === from)?.node ?? from);
    }
    if (buffer && commitContent?.append) ids.set(buffer.as, commitContent.append.node);
    return ids;
  }

  return {
    send,
    sendNow,
    nodeIds,
    isOffPath,
    /** True if no command is in flight and the replica has the events of all answers. */
    isSettled: () => inFlight === 0 && replica.seq() >= lastAnsweredSeq,
  };
}
