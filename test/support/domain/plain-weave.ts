import type { PendingEdit, TextChange, TextRange, WeaveCommit, WeaveNode } from '../../../src/core/loom/weave/weave.ts';

/* The weave as one would write it first: whole strings, every node looked at every time. Held against the real one. */
export interface Plain {
  readonly nodes: readonly PlainNode[];
  readonly buffer: string;
  readonly commits: number;
}

interface PlainNode extends WeaveNode {
  readonly current: string;
  readonly ranges: readonly TextRange[] | undefined;
  readonly origins: readonly (WeaveNode | null)[];
}

export function create(nodes: readonly WeaveNode[]): Plain {
  return { nodes: nodes.map(clean), buffer: '', commits: 0 };
}

export function textOf({ nodes, buffer }: Plain): string {
  return nodes.map(({ current }) => current).join('') + buffer;
}

export function pendingOf({ nodes }: Plain): PendingEdit[] {
  return nodes.flatMap(({ id, text, current, ranges }) =>
    ranges ? [{ node: id, original: text, current, ranges }] : [],
  );
}

export function apply(model: Plain, changes: readonly TextChange[]) {
  const text = textOf(model);
  if (changes.every(({ from, to, insert }) => from === to && insert === '')) return { model };
  // Cells of the text with their owner, before: what each change takes out and where its text goes.
  const owners = [
    ...model.nodes.flatMap(({ current }, i) => Array(current.length).fill(i)),
    ...Array(model.buffer.length).fill('buffer'),
  ];
  const whole = widen(text, changes);
  if (!whole.every(({ insert }) => insert.isWellFormed())) return 'refused';
  const goals = whole.map(({ from, to }) => (from < to ? owners[from] : typingGoal(model, from)));
  const touched = new Set(whole.flatMap(({ from, to }, i) => [goals[i], ...owners.slice(from, to)]));
  const touchedNodes = [...touched].filter((owner) => owner !== 'buffer');
  const pending = model.nodes.flatMap(({ ranges }, i) => (ranges ? [i] : []));
  const commitSet = pending.length > 0 && !pending.some((i) => touched.has(i));
  const commitBuffer = model.buffer !== '' && touchedNodes.length > 0;
  const committed = commitSet || commitBuffer ? commit(model, commitSet, commitBuffer) : undefined;
  const base = committed?.model ?? model;
  const bufferIs = commitBuffer ? base.nodes.length - 1 : 'buffer';
  const named = (owner: unknown) => (owner === 'buffer' ? bufferIs : owner);

  let [nodes, buffer] = [base.nodes.slice(), base.buffer];
  whole.toReversed().forEach((change, back) => {
    const goal = named(goals[whole.length - 1 - back]);
    let start = textOf({ ...base, nodes, buffer }).length - buffer.length;
    const inBuffer = within(change, start, start + buffer.length, goal === 'buffer');
    if (inBuffer) buffer = spliced(buffer, inBuffer);
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i] as PlainNode;
      const end = start;
      start -= node.current.length;
      const part = within(change, start, end, goal === i);
      if (!part) continue;
      nodes[i] = {
        ...node,
        current: spliced(node.current, part),
        ranges: marked(node.ranges ?? [], part, node.current.length),
      };
    }
  });
  const after: Plain = { ...base, nodes, buffer };
  return {
    model: after,
    ...(committed && { committed: base }),
    ...(committed?.commit && { commit: committed.commit }),
  };
}

export function commit(model: Plain, set: boolean, withBuffer: boolean): { model: Plain; commit?: WeaveCommit } {
  const due = set ? model.nodes.filter(({ ranges }) => ranges).length : 0;
  const text = withBuffer ? model.buffer : '';
  if (due === 0 && text === '') return { model };
  const edits: { node: string; text: string; as: string }[] = [];
  const name = (i: number) => `~${model.commits + 1}.${i}`;
  const nodes = model.nodes.map((node, i): PlainNode => {
    if (!set || !node.ranges) return node;
    if (node.current === node.text) return { ...node, ranges: undefined };
    edits.push({ node: node.id, text: node.current, as: name(i) });
    return {
      ...clean({ id: name(i), text: node.current }),
      origins: [...node.origins, { id: node.id, text: node.text }],
    };
  });
  if (edits.length === 0 && text === '') return { model: { ...model, nodes } };
  const commits = model.commits + 1;
  if (text === '') return { model: { ...model, nodes, commits }, commit: { edits } };
  const as = name(nodes.length);
  return {
    model: { nodes: [...nodes, { ...clean({ id: as, text }), origins: [null] }], buffer: '', commits },
    commit: { edits, buffer: { text, as } },
  };
}

export function settle(model: Plain, ids: ReadonlyMap<string, string>): Plain {
  const nodes = model.nodes.map((node) => {
    const id = ids.get(node.id);
    if (id !== undefined) return { ...node, id, origins: [] };
    return node;
  });
  return { ...model, nodes };
}

export function takeBack(model: Plain): Plain {
  let buffer = model.buffer;
  const nodes = model.nodes.toReversed().flatMap((node) => {
    const [origin] = node.origins;
    if (origin === null) {
      buffer = node.current + buffer;
      return [];
    }
    if (origin === undefined) return [node];
    return [{ ...origin, current: node.current, ranges: [hull(origin.text, node.current)], origins: [] }];
  });
  return { ...model, nodes: nodes.toReversed(), buffer };
}

export function settledNodes(model: Plain): WeaveNode[] {
  return takeBack(model).nodes.map(({ id, text }) => ({ id, text }));
}

export function grow(model: Plain, id: string, more: string): Plain {
  return {
    ...model,
    nodes: model.nodes.map((node) =>
      node.id === id ? { ...node, text: node.text + more, current: node.current + more } : node,
    ),
  };
}

export function show(model: Plain, path: readonly WeaveNode[]) {
  const kept = (id: string) => path.some((node) => node.id === id);
  return {
    model: { ...model, nodes: path.map((node) => model.nodes.find(({ id }) => id === node.id) ?? clean(node)) },
    displaced: pendingOf(model).filter(({ node }) => !kept(node)),
  };
}

function clean({ id, text }: WeaveNode): PlainNode {
  return { id, text, current: text, ranges: undefined, origins: [] };
}

/** W11, read off a list of all nodes that touch the offset. */
function typingGoal({ nodes, buffer }: Plain, offset: number): number | 'buffer' {
  const ends = nodes.map((_, i) => nodes.slice(0, i + 1).reduce((sum, { current }) => sum + current.length, 0));
  const total = ends.at(-1) ?? 0;
  const inside = ends.findIndex((end, i) => end - (nodes[i] as PlainNode).current.length < offset && offset < end);
  if (inside >= 0) return inside;
  if (offset > total || (offset === total && buffer !== '')) return 'buffer';
  const endingHere = nodes.flatMap((_, i) => (ends[i] === offset ? [i] : []));
  const open = endingHere.find((i) => nodes[i]?.ranges !== undefined);
  if (open !== undefined) return open;
  if (offset === total) return 'buffer';
  const left = endingHere.find((i) => nodes[i]?.current !== '');
  return left ?? nodes.findIndex(({ current }) => current !== '');
}

function widen(text: string, changes: readonly TextChange[]): TextChange[] {
  const cuts = (at: number) => at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
  const joined: TextChange[] = [];
  for (const change of changes.filter(({ from, to, insert }) => from !== to || insert !== '')) {
    const last = joined.at(-1);
    if (last && last.to === change.from && cuts(change.from)) {
      joined[joined.length - 1] = { from: last.from, to: change.to, insert: last.insert + change.insert };
    } else joined.push(change);
  }
  return joined.map(({ from, to, insert }) => ({
    from: cuts(from) ? from - 1 : from,
    to: cuts(to) ? to + 1 : to,
    insert: (cuts(from) ? text[from - 1] : '') + insert + (cuts(to) ? text[to] : ''),
  }));
}

function within(
  { from, to, insert }: TextChange,
  start: number,
  end: number,
  takesText: boolean,
): TextChange | undefined {
  const cut = { from: Math.max(from, start) - start, to: Math.min(to, end) - start };
  if (takesText) return { from: cut.from, to: Math.max(cut.from, cut.to), insert };
  return cut.from < cut.to ? { ...cut, insert: '' } : undefined;
}

function spliced(text: string, { from, to, insert }: TextChange): string {
  return text.slice(0, from) + insert + text.slice(to);
}

/** Touched gaps and units of a text, drawn unit by unit and read off again. */
function marked(ranges: readonly TextRange[], { from, to, insert }: TextChange, length: number): TextRange[] {
  const odd = (range: TextRange) =>
    Array.from({ length: 2 * (range.to - range.from) + 1 }, (_, i) => 2 * range.from + i);
  const marks = new Set(ranges.flatMap(odd));
  const line = Array.from({ length: 2 * length + 1 }, (_, i) => marks.has(i));
  const next = [...line.slice(0, 2 * from), ...Array(2 * insert.length + 1).fill(true), ...line.slice(2 * to + 1)];
  const found: { from: number; to: number }[] = [];
  for (let i = 0; i < next.length; i++) {
    if (!next[i]) continue;
    const start = i;
    while (next[i + 1]) i++;
    found.push({ from: start / 2, to: i / 2 });
  }
  return found;
}

function hull(before: string, after: string): TextRange {
  const [a, b] = [[...before], [...after]];
  let from = 0;
  while (from < Math.min(a.length, b.length) && a[from] === b[from]) from++;
  let behind = 0;
  while (behind < Math.min(a.length, b.length) - from && a.at(-1 - behind) === b.at(-1 - behind)) behind++;
  return { from: b.slice(0, from).join('').length, to: b.slice(0, b.length - behind).join('').length };
}
