import type { Graph } from './graph.ts';

/*
 * Tests whether the text before a node is the same as when it was written, however it is split into nodes (W31).
 * Texts are compared by keys that can be concatenated like texts: two residues, together about as good as 52 bits.
 */
export interface TextKey {
  readonly length: number;
  readonly a: number;
  readonly b: number;
}

/** The cache of a loom, filled as far as needed. */
export interface TextKeys {
  readonly nodes: Map<number, TextKey>;
  readonly contexts: TextKey[];
}

const EMPTY_KEY: TextKey = { length: 0, a: 0, b: 0 };
/** The largest primes whose products are exact in a double. */
const [PRIME_A, PRIME_B] = [2 ** 26 - 5, 2 ** 26 - 27];
const [BASE_A, BASE_B] = [65_599, 131_071];

/** The key of the text before each position of a path. Reading in order visits each node once. */
export function textKeysAlong(graph: Graph, nodes: Int32Array): (position: number) => TextKey {
  let [reached, key] = [0, EMPTY_KEY];
  return (position) => {
    if (position < reached) [reached, key] = [0, EMPTY_KEY];
    for (; reached < position; reached++) key = concatKeys(key, keyOfNode(graph, nodes[reached] as number));
    return key;
  };
}

/** True if a context has this text. */
export function hasText(graph: Graph, context: number, { length, a, b }: TextKey): boolean {
  const { contexts } = graph.textKeys;
  if (contexts.length === 0) contexts.push(EMPTY_KEY);
  for (let next = contexts.length; next <= context; next++) {
    const before = contexts[graph.contextBefore[next] as number] as TextKey;
    contexts.push(concatKeys(before, keyOfNode(graph, graph.contextNode[next] as number)));
  }
  const key = contexts[context] as TextKey;
  return key.length === length && key.a === a && key.b === b;
}

function keyOfNode(graph: Graph, node: number): TextKey {
  const { nodes } = graph.textKeys;
  let key = nodes.get(node);
  if (!key) {
    key = keyOf(graph.contents[node] as string);
    nodes.set(node, key);
  }
  return key;
}

function keyOf(text: string): TextKey {
  let [a, b] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    // Every unit counts as at least 1, so that no text has the value of the empty one.
    const unit = text.charCodeAt(i) + 1;
    a = (a * BASE_A + unit) % PRIME_A;
    b = (b * BASE_B + unit) % PRIME_B;
  }
  return { length: text.length, a, b };
}

function concatKeys(one: TextKey, other: TextKey): TextKey {
  if (other.length === 0) return one;
  return {
    length: one.length + other.length,
    a: (one.a * power(BASE_A, other.length, PRIME_A) + other.a) % PRIME_A,
    b: (one.b * power(BASE_B, other.length, PRIME_B) + other.b) % PRIME_B,
  };
}

function power(base: number, exponent: number, prime: number): number {
  let [result, square] = [1, base];
  for (let remaining = exponent; remaining > 0; remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}
