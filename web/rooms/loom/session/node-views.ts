import type { WireLoomNode } from '../../../../src/client/index.ts';
import { client } from '../../../data/session.ts';

/** A token of a generated text, with what else it could have been. */
export interface TokenChoice {
  readonly token: string;
  readonly start: number;
  readonly logprob: number | null;
  readonly others: readonly { readonly token: string; readonly logprob: number }[];
}

const MAX_REQUESTS = 6;

/** Nodes with their probabilities, as the server has them. Cached, because neither ever changes. */
export function createNodeViews(thread: string) {
  const requests = new Map<string, Promise<WireLoomNode>>();
  const loaded = new Map<string, readonly TokenChoice[]>();
  const waiting: (() => void)[] = [];
  let running = 0;

  function read(node: string): Promise<WireLoomNode> {
    let request = requests.get(node);
    if (!request) {
      request = inTurn(() => client.thread(thread).loom.node(node));
      requests.set(node, request);
      request.then(
        (view) => loaded.set(node, tokensOf(view)),
        () => requests.delete(node),
      );
    }
    return request;
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= MAX_REQUESTS) await new Promise<void>((resolve) => waiting.push(resolve));
    running++;
    try {
      return await work();
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  return {
    read,
    /** The tokens of a node that has been read; calls `onLoad` once it has. */
    tokens(node: string, onLoad: () => void): readonly TokenChoice[] | undefined {
      if (!loaded.has(node) && !requests.has(node)) read(node).then(onLoad, () => {});
      return loaded.get(node);
    },
  };
}

export type NodeViews = ReturnType<typeof createNodeViews>;

/** None if there are no probabilities, or if the text is no longer the generated one. */
export function tokensOf({ tokens, content, edited_from }: WireLoomNode): readonly TokenChoice[] {
  if (!tokens || edited_from !== undefined) return [];
  const choices: TokenChoice[] = [];
  let start = 0;
  for (const each of tokens) {
    const end = start + each.token.length;
    if (content.slice(start, end) !== each.token) break;
    choices.push({ ...each, start });
    start = end;
  }
  return choices;
}

/** False for text that is still being typed or generated: it has no event yet. */
export function isCommitted(node: string): boolean {
  return !/^~|^gen:/.test(node);
}
