/*
 * Text as a persistent balanced tree of short strings: an edit copies the path to one leaf and shares the rest, so
 * every earlier text stays unchanged. Heights of siblings differ by one at most; no leaf of a longer text is empty.
 */
export type Rope = RopeLeaf | RopeBranch;

interface RopeLeaf {
  readonly height: 0;
  readonly length: number;
  readonly text: string;
}

interface RopeBranch {
  readonly height: number;
  readonly length: number;
  readonly left: Rope;
  readonly right: Rope;
}

const MAX_LEAF = 1024;

export const EMPTY_ROPE: Rope = leaf('');

export function ropeOf(text: string): Rope {
  if (text.length <= MAX_LEAF) return leaf(text);
  let level: Rope[] = [];
  for (let at = 0; at < text.length; at += MAX_LEAF / 2) level.push(leaf(text.slice(at, at + MAX_LEAF / 2)));
  while (level.length > 1) {
    const parents: Rope[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left !== undefined) parents.push(right === undefined ? left : concat(left, right));
    }
    level = parents;
  }
  return level[0] ?? EMPTY_ROPE;
}

/** Does not check offsets; the caller must. */
export function replaceIn(rope: Rope, from: number, to: number, insert: string): Rope {
  return replaceInOneLeaf(rope, from, to, insert) ?? concat(concat(take(rope, from), ropeOf(insert)), drop(rope, to));
}

export function sliceOf(rope: Rope, from: number, to: number): string {
  if (from >= to) return '';
  if (isLeaf(rope)) return rope.text.slice(from, to);
  const pieces: string[] = [];
  collect(rope, from, to, pieces);
  return pieces.join('');
}

export function codeUnitAt(rope: Rope, at: number): number {
  let [node, offset] = [rope, at];
  while (!isLeaf(node)) {
    if (offset < node.left.length) node = node.left;
    else {
      offset -= node.left.length;
      node = node.right;
    }
  }
  return node.text.charCodeAt(offset);
}

/** The common case. Undefined if the edit spans leaves, empties a leaf, or makes one too long. */
function replaceInOneLeaf(rope: Rope, from: number, to: number, insert: string): Rope | undefined {
  if (isLeaf(rope)) {
    const length = rope.length - (to - from) + insert.length;
    if (length > MAX_LEAF || length === 0) return undefined;
    return leaf(rope.text.slice(0, from) + insert + rope.text.slice(to));
  }
  const { left, right } = rope;
  if (to <= left.length) {
    const changed = replaceInOneLeaf(left, from, to, insert);
    return changed && branch(changed, right);
  }
  if (from < left.length) return undefined;
  const changed = replaceInOneLeaf(right, from - left.length, to - left.length, insert);
  return changed && branch(left, changed);
}

function take(rope: Rope, length: number): Rope {
  if (length <= 0) return EMPTY_ROPE;
  if (length >= rope.length) return rope;
  if (isLeaf(rope)) return leaf(rope.text.slice(0, length));
  if (length <= rope.left.length) return take(rope.left, length);
  return concat(rope.left, take(rope.right, length - rope.left.length));
}

function drop(rope: Rope, length: number): Rope {
  if (length <= 0) return rope;
  if (length >= rope.length) return EMPTY_ROPE;
  if (isLeaf(rope)) return leaf(rope.text.slice(length));
  if (length >= rope.left.length) return drop(rope.right, length - rope.left.length);
  return concat(drop(rope.left, length), rope.right);
}

/** Descends the taller side until the heights match; joins short neighbouring leaves. */
function concat(left: Rope, right: Rope): Rope {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  if (isLeaf(left) && isLeaf(right)) {
    return left.length + right.length <= MAX_LEAF ? leaf(left.text + right.text) : branch(left, right);
  }
  if (left.height > right.height + 1 && !isLeaf(left)) return balance(left.left, concat(left.right, right));
  if (right.height > left.height + 1 && !isLeaf(right)) return balance(concat(left, right.left), right.right);
  return branch(left, right);
}

function balance(left: Rope, right: Rope): Rope {
  if (left.height > right.height + 1 && !isLeaf(left)) {
    if (left.left.height >= left.right.height || isLeaf(left.right)) {
      return branch(left.left, branch(left.right, right));
    }
    return branch(branch(left.left, left.right.left), branch(left.right.right, right));
  }
  if (right.height > left.height + 1 && !isLeaf(right)) {
    if (right.right.height >= right.left.height || isLeaf(right.left)) {
      return branch(branch(left, right.left), right.right);
    }
    return branch(branch(left, right.left.left), branch(right.left.right, right.right));
  }
  return branch(left, right);
}

function collect(rope: Rope, from: number, to: number, pieces: string[]): void {
  if (isLeaf(rope)) {
    pieces.push(rope.text.slice(Math.max(0, from), to));
    return;
  }
  const middle = rope.left.length;
  if (from < middle) collect(rope.left, from, to, pieces);
  if (to > middle) collect(rope.right, from - middle, to - middle, pieces);
}

function isLeaf(rope: Rope): rope is RopeLeaf {
  return rope.height === 0;
}

function leaf(text: string): RopeLeaf {
  return { height: 0, length: text.length, text };
}

function branch(left: Rope, right: Rope): RopeBranch {
  return { height: Math.max(left.height, right.height) + 1, length: left.length + right.length, left, right };
}
