import type { WireEvent } from '../../../../src/client/index.ts';
import type { Commit } from '../../../../src/core/loom/weave/weave.ts';
import type { Replica } from './replica.ts';

interface Finished {
  readonly generation: string;
  readonly choices: readonly { readonly node: string; readonly number?: number }[];
  readonly shown?: number;
}

/** What commands may carry so that it is committed first (W9, W10). */
interface Pending {
  readonly edits?: readonly { readonly node: string; readonly text: string }[];
  readonly text?: string;
  readonly after?: string;
}

/** A commit and, by the names the weave gave them, the nodes that came of it. */
export interface Sent {
  readonly events: readonly WireEvent[];
  readonly ids: ReadonlyMap<string, string>;
}

/** A node that is still being written has this name until it is finished. */
export function growingName(generation: string, choice: number): string {
  return `gen:${generation}:${choice}`;
}

export function growingParts(name: string): { readonly generation: string; readonly choice: number } | undefined {
  const [start, generation, choice] = name.split(':');
  return start === 'gen' && generation !== undefined ? { generation, choice: Number(choice) } : undefined;
}

/**
 * Sends commands of one loom one after the other, with the real names of nodes that had none when they were meant.
 * `restOf` tells what came of a growing text since an edit of it was committed.
 */
export function createOutbox(replica: Replica, restOf: (as: string) => string) {
  const real = new Map<string, string>();
  /** The growing names of what the path leads to. */
  const led = new Set<string>();
  let tail: Promise<unknown> = Promise.resolve();
  let [busy, answered] = [0, 0];

  replica.onEvents((events) => {
    for (const { type, content } of events) {
      if (type !== 'generation.finished') continue;
      const { generation, choices, shown = 0 } = content as unknown as Finished;
      for (const [at, { node, number = at }] of choices.entries()) {
        const name = growingName(generation, number);
        real.set(name, node);
        if (at === shown) led.add(name);
      }
    }
  });

  /** `before` is the node the committed buffer was written after. Whoever waits hears of a refusal by its throw. */
  function send(name: string, body: object, commit?: Commit, before?: string): Promise<Sent> {
    busy++;
    const sent = tail.then(() => deliver(name, body, commit, before)).finally(() => busy--);
    tail = sent.catch(() => {});
    return sent;
  }

  async function deliver(name: string, body: object, commit?: Commit, before?: string): Promise<Sent> {
    const pending = commit ? await pendingOf(commit, before) : {};
    const answer = await replica.remote.command(name as never, { ...pending, ...body } as never);
    answered = Math.max(answered, ...answer.events.map(({ seq }) => seq));
    const ids = commit ? idsOf(commit, answer.events) : new Map<string, string>();
    for (const [as, id] of ids) real.set(as, id);
    replica.hear(answer.events);
    return { events: answer.events, ids };
  }

  /** At once, beside whatever else is on its way. */
  async function now(name: string, body: object = {}): Promise<void> {
    busy++;
    try {
      const { events } = await replica.remote.command(name as never, body as never);
      answered = Math.max(answered, ...events.map(({ seq }) => seq));
      replica.hear(events);
    } finally {
      busy--;
    }
  }

  async function pendingOf({ edits, buffer }: Commit, before: string | undefined): Promise<Pending> {
    const named = [];
    for (const { node, text, as } of edits) {
      named.push({ node: await onPath(node), text: text + restOf(as) });
    }
    const after = buffer && before !== undefined ? await nameOf(before) : undefined;
    return { edits: named, ...(buffer && { text: buffer.text }), ...(after !== undefined && { after }) };
  }

  /** Another choice than the one that the path leads to is gone to before an edit of it is sent. */
  async function onPath(name: string): Promise<string> {
    const node = await nameOf(name);
    if (isBeside(name)) {
      await now('switch', { node });
      led.add(name);
    }
    return node;
  }

  /** Whether it is a finished choice that the path does not lead to by itself. */
  function isBeside(name: string): boolean {
    return real.has(name) && growingParts(name) !== undefined && !led.has(name);
  }

  /** A node that is still being written gets its name when it is finished. */
  async function nameOf(name: string): Promise<string> {
    const growing = growingParts(name);
    while (growing && !real.has(name)) {
      if (!replica.streams.growing.get().has(growing.generation)) {
        throw new Error('the text you edited was never finished');
      }
      await new Promise<void>((resolve) => {
        const stop = replica.onEvents(() => {
          stop();
          resolve();
        });
      });
    }
    return real.get(name) ?? name;
  }

  function idsOf({ edits, buffer }: Commit, events: readonly WireEvent[]): Map<string, string> {
    const committed = events.find(({ type }) => type === 'loom.committed')?.content as
      | { edits: { node: string; from: string }[]; append?: { node: string } }
      | undefined;
    const ids = new Map<string, string>();
    for (const { node, as } of edits) {
      const from = real.get(node) ?? node;
      ids.set(as, committed?.edits.find((edit) => edit.from === from)?.node ?? from);
    }
    if (buffer && committed?.append) ids.set(buffer.as, committed.append.node);
    return ids;
  }

  return {
    send,
    now,
    real,
    isBeside,
    /** Whether what the replica shows has all that was answered, and nothing is on its way. */
    isSettled: () => busy === 0 && replica.seq() >= answered,
  };
}
