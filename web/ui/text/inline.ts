/** A piece of a line of text. */
export type Inline =
  | string
  | { readonly kind: Mark; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }
  | { readonly kind: 'break' };

export type Mark = 'strong' | 'emphasis' | 'struck';

const MARKS: readonly (readonly [sign: string, mark: Mark])[] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'struck'],
  ['*', 'emphasis'],
  ['_', 'emphasis'],
];
const DEEPEST = 8;
const LINK =
  /\[((?:[^[\]\\\n]|\\.){1,500})\]\((https?:\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,4})\)/y;
const ADDRESS = /https?:\/\/[^\s<>"'`\\|]{1,2000}/y;
const PLAIN = /[^\\`*_~[h\n]+/y;

interface Frame {
  readonly sign: string;
  readonly mark: Mark | undefined;
  readonly children: Inline[];
}

/**
 * Reads a text once from left to right, whatever it contains: no step looks
 * further ahead than a fixed length, so a hostile text costs no more than a long one.
 */
export function parseInline(text: string, links = true): readonly Inline[] {
  const root: Frame = { sign: '', mark: undefined, children: [] };
  const open: Frame[] = [root];
  const ticks = backticks(text);
  let at = 0;

  const top = () => open[open.length - 1] as Frame;
  const add = (piece: Inline) => append(top().children, piece);

  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\n') {
      add({ kind: 'break' });
      at++;
    } else if (char === '\\') {
      const next = text.charAt(at + 1);
      const escapes = /[!-/:-@[-`{-~]/.test(next);
      add(escapes ? next : '\\');
      at += escapes ? 2 : 1;
    } else if (char === '`') {
      at = code(at);
    } else if (char === '*' || char === '_' || char === '~') {
      at = mark(at);
    } else {
      at = (links && link(at)) || plain(at);
    }
  }
  while (open.length > 1) unwind();
  return root.children;

  function code(start: number): number {
    const length = run(text, start);
    const end = ticks(length, start + length);
    if (end < 0) {
      add(text.slice(start, start + length));
      return start + length;
    }
    const inside = text.slice(start + length, end).replaceAll('\n', ' ');
    const padded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    add({ kind: 'code', text: padded ? inside.slice(1, -1) : inside });
    return end + length;
  }

  function mark(start: number): number {
    const before = text.charAt(start - 1);
    const sign = MARKS.filter(([sign]) => text.startsWith(sign, start));
    const closes = before !== '' && !/\s/.test(before);
    const own = closes ? sign.find(([sign]) => sign === top().sign) : undefined;
    const closing = own ?? (closes ? sign.find(([sign]) => open.some((frame) => frame.sign === sign)) : undefined);
    if (closing && mayEnd(closing[0], start)) {
      while (top().sign !== closing[0]) unwind();
      const { mark, children } = open.pop() as Frame;
      add({ kind: mark as Mark, children });
      return start + closing[0].length;
    }
    const opening = sign[0];
    if (opening && open.length <= DEEPEST && mayBegin(opening[0], start, before)) {
      open.push({ sign: opening[0], mark: opening[1], children: [] });
      return start + opening[0].length;
    }
    const length = opening?.[0].length ?? 1;
    add(text.slice(start, start + length));
    return start + length;
  }

  function mayBegin(sign: string, start: number, before: string): boolean {
    const after = text.charAt(start + sign.length);
    if (after === '' || /\s/.test(after)) return false;
    return !sign.startsWith('_') || !/[\p{L}\p{N}]/u.test(before);
  }

  function mayEnd(sign: string, start: number): boolean {
    return !sign.startsWith('_') || !/[\p{L}\p{N}]/u.test(text.charAt(start + sign.length));
  }

  /** A mark that was opened and never closed is only the characters it is made of. */
  function unwind(): void {
    const { sign, children } = open.pop() as Frame;
    add(sign);
    for (const child of children) add(child);
  }

  function link(start: number): number {
    const named = text.charAt(start) === '[' ? match(LINK, text, start) : null;
    if (named) {
      const [whole, label = '', href = ''] = named;
      add({ kind: 'link', href, children: parseInline(label, false) });
      return start + whole.length;
    }
    const bare =
      text.charAt(start) === 'h' && !/[\p{L}\p{N}]/u.test(text.charAt(start - 1)) && match(ADDRESS, text, start);
    if (!bare) return 0;
    const href = withoutTail(bare[0]);
    if (!URL.canParse(href)) return 0;
    add({ kind: 'link', href, children: [href] });
    return start + href.length;
  }

  function plain(start: number): number {
    const length = match(PLAIN, text, start)?.[0].length ?? 1;
    add(text.slice(start, start + length));
    return start + length;
  }
}

function append(children: Inline[], piece: Inline): void {
  const last = children[children.length - 1];
  if (typeof piece === 'string' && typeof last === 'string') children[children.length - 1] = last + piece;
  else if (piece !== '') children.push(piece);
}

/** Where the next run of so many backticks begins; each is looked at once. */
function backticks(text: string): (length: number, from: number) => number {
  const starts = new Map<number, number[]>();
  for (let at = text.indexOf('`'); at >= 0; ) {
    const length = run(text, at);
    const same = starts.get(length);
    if (same) same.push(at);
    else starts.set(length, [at]);
    at = text.indexOf('`', at + length);
  }
  const next = new Map<number, number>();
  return (length, from) => {
    const same = starts.get(length) ?? [];
    let index = next.get(length) ?? 0;
    while (index < same.length && (same[index] as number) < from) index++;
    next.set(length, index);
    return same[index] ?? -1;
  };
}

function run(text: string, start: number): number {
  let end = start;
  while (text.charAt(end) === '`') end++;
  return end - start;
}

/** The full stop after an address ends the sentence, not the address; so does a bracket it did not open. */
function withoutTail(address: string): string {
  let end = address.length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    const unopened = last === ')' && !address.slice(0, end).includes('(');
    if (!/[.,;:!?*_~\]}]/.test(last) && !unopened) break;
    end--;
  }
  return address.slice(0, end);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
