/** An inline piece of text. */
export type Inline =
  | string
  | { readonly kind: InlineMark; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }
  /** Never fetched: it is shown as a link. */
  | { readonly kind: 'image'; readonly href: string; readonly alt: string }
  /** TeX, on a line of its own if `display`. */
  | { readonly kind: 'math'; readonly text: string; readonly display: boolean }
  | { readonly kind: 'break' };

export type InlineMark = 'strong' | 'emphasis' | 'struck';

const MARKS: readonly (readonly [sign: string, mark: InlineMark])[] = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'struck'],
  ['*', 'emphasis'],
  ['_', 'emphasis'],
];
const MAX_DEPTH = 8;
const LINK =
  /\[((?:[^[\]\\\n]|\\.){0,500})\]\((https?:\/\/[^\s()<>]{1,2000}(?:\([^\s()<>]{0,200}\)[^\s()<>]{0,200}){0,4})(?: "[^"\n]{0,200}")?\)/y;
const LINE_BREAK = /<br ?\/?>/iy;
/** Pairs of signs around TeX, and whether it stands on a line of its own. */
const MATH_SIGNS: readonly (readonly [open: string, close: string, display: boolean])[] = [
  ['$$', '$$', true],
  ['$', '$', false],
  ['\\(', '\\)', false],
];
const MAX_MATH_LENGTH = 1000;
const BARE_URL = /https?:\/\/[^\s<>"'`\\|]{1,2000}/y;
const PLAIN = /[^\\`*_~[!<$h\n]+/y;

interface OpenMark {
  readonly marker: string;
  readonly mark: InlineMark | undefined;
  readonly children: Inline[];
}

/**
 * Parses a text in one pass from left to right. No step looks further ahead than a fixed length, so
 * a hostile text costs no more than a long one.
 */
export function parseInline(text: string, links = true): readonly Inline[] {
  const root: OpenMark = { marker: '', mark: undefined, children: [] };
  const stack: OpenMark[] = [root];
  const nextBackticks = indexBackticks(text);
  let at = 0;

  const top = () => stack[stack.length - 1] as OpenMark;
  const add = (node: Inline) => append(top().children, node);

  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '\n') {
      add({ kind: 'break' });
      at++;
    } else if (char === '$' || text.startsWith('\\(', at)) {
      at = parseMath(at) || parsePlain(at);
    } else if (char === '<') {
      at = parseLineBreak(at) || parsePlain(at);
    } else if (char === '\\') {
      const next = text.charAt(at + 1);
      const isEscape = /[!-/:-@[-`{-~]/.test(next);
      add(isEscape ? next : '\\');
      at += isEscape ? 2 : 1;
    } else if (char === '`') {
      at = parseCode(at);
    } else if (char === '*' || char === '_' || char === '~') {
      at = parseMark(at);
    } else {
      at = (links && parseLink(at)) || parsePlain(at);
    }
  }
  while (stack.length > 1) unwind();
  return root.children;

  function parseCode(start: number): number {
    const length = backtickCount(text, start);
    const end = nextBackticks(length, start + length);
    if (end < 0) {
      add(text.slice(start, start + length));
      return start + length;
    }
    const inside = text.slice(start + length, end).replaceAll('\n', ' ');
    const isPadded = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== '';
    add({ kind: 'code', text: isPadded ? inside.slice(1, -1) : inside });
    return end + length;
  }

  /** "$5 and $6" is money and "$SRC/$DST" a path: signs of maths have no letter or digit outside and no space inside. */
  function parseMath(start: number): number {
    const signs = MATH_SIGNS.find(([open]) => text.startsWith(open, start));
    if (!signs) return 0;
    const [open, close, display] = signs;
    const from = start + open.length;
    const length = text.slice(from, from + MAX_MATH_LENGTH).indexOf(close);
    if (length < 1) return 0;
    const tex = text.slice(from, from + length);
    const end = from + length + close.length;
    const isText = open === '$' && (/^\s|\s$/.test(tex) || isWord(text.charAt(end)) || isWord(text.charAt(start - 1)));
    if (isText || tex.trim() === '') return 0;
    add({ kind: 'math', text: tex.trim(), display });
    return end;
  }

  function parseLineBreak(start: number): number {
    const match = matchAt(LINE_BREAK, text, start);
    if (!match) return 0;
    add({ kind: 'break' });
    return start + match[0].length;
  }

  function parseMark(start: number): number {
    const before = text.charAt(start - 1);
    const candidates = MARKS.filter(([candidates]) => text.startsWith(candidates, start));
    const canCloseHere = before !== '' && !/\s/.test(before);
    const ownMatch = canCloseHere ? candidates.find(([sign]) => sign === top().marker) : undefined;
    const closing =
      ownMatch ??
      (canCloseHere ? candidates.find(([sign]) => stack.some((frame) => frame.marker === sign)) : undefined);
    const isEmpty = closing?.[0] === top().marker && top().children.length === 0;
    if (closing && !isEmpty && canClose(closing[0], start)) {
      while (top().marker !== closing[0]) unwind();
      const { mark, children } = stack.pop() as OpenMark;
      add({ kind: mark as InlineMark, children });
      return start + closing[0].length;
    }
    const opening = candidates[0];
    if (opening && stack.length <= MAX_DEPTH && canOpen(opening[0], start, before)) {
      stack.push({ marker: opening[0], mark: opening[1], children: [] });
      return start + opening[0].length;
    }
    const length = opening?.[0].length ?? 1;
    add(text.slice(start, start + length));
    return start + length;
  }

  function canOpen(marker: string, start: number, before: string): boolean {
    const after = text.charAt(start + marker.length);
    if (after === '' || /\s/.test(after)) return false;
    return !marker.startsWith('_') || !isWord(before);
  }

  function canClose(marker: string, start: number): boolean {
    return !marker.startsWith('_') || !isWord(text.charAt(start + marker.length));
  }

  /** An opening mark that is never closed is plain text. */
  function unwind(): void {
    const { marker, children } = stack.pop() as OpenMark;
    add(marker);
    for (const child of children) add(child);
  }

  function parseLink(start: number): number {
    const isImage = text.startsWith('![', start);
    const namedLink = isImage || text.charAt(start) === '[' ? matchAt(LINK, text, start + (isImage ? 1 : 0)) : null;
    const [whole = '', label = '', to = ''] = namedLink ?? [];
    if (isImage && namedLink) {
      add({ kind: 'image', href: to, alt: label });
      return start + 1 + whole.length;
    }
    if (namedLink && label !== '') {
      add({ kind: 'link', href: to, children: parseInline(label, false) });
      return start + whole.length;
    }
    const bareUrl = text.charAt(start) === 'h' && !isWord(text.charAt(start - 1)) && matchAt(BARE_URL, text, start);
    if (!bareUrl) return 0;
    const href = stripTrailing(bareUrl[0]);
    if (!URL.canParse(href)) return 0;
    add({ kind: 'link', href, children: [href] });
    return start + href.length;
  }

  function parsePlain(start: number): number {
    const length = matchAt(PLAIN, text, start)?.[0].length ?? 1;
    add(text.slice(start, start + length));
    return start + length;
  }
}

function isWord(char: string): boolean {
  return /[\p{L}\p{N}]/u.test(char);
}

function append(children: Inline[], node: Inline): void {
  const last = children[children.length - 1];
  if (typeof node === 'string' && typeof last === 'string') children[children.length - 1] = last + node;
  else if (node !== '') children.push(node);
}

/** Finds the next run of `length` backticks; each backtick is read only once. */
function indexBackticks(text: string): (length: number, from: number) => number {
  const starts = new Map<number, number[]>();
  for (let at = text.indexOf('`'); at >= 0; ) {
    const length = backtickCount(text, at);
    const sameLength = starts.get(length);
    if (sameLength) sameLength.push(at);
    else starts.set(length, [at]);
    at = text.indexOf('`', at + length);
  }
  const next = new Map<number, number>();
  return (length, from) => {
    const sameLength = starts.get(length) ?? [];
    let index = next.get(length) ?? 0;
    while (index < sameLength.length && (sameLength[index] as number) < from) index++;
    next.set(length, index);
    return sameLength[index] ?? -1;
  };
}

function backtickCount(text: string, start: number): number {
  let end = start;
  while (text.charAt(end) === '`') end++;
  return end - start;
}

/** The full stop after an address ends the sentence, not the address; so does a bracket it did not open. */
function stripTrailing(address: string): string {
  let end = address.length;
  while (end > 0) {
    const last = address.charAt(end - 1);
    const isUnopened = last === ')' && !address.slice(0, end).includes('(');
    if (!/[.,;:!?*_~\]}]/.test(last) && !isUnopened) break;
    end--;
  }
  return address.slice(0, end);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
