import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { type AuthoredSpan, viewEarlier } from '../../../../src/core/loom/authorship/node-spans.ts';
import { shownSpans } from '../../../../src/core/loom/authorship/spans.ts';
import { nodesIn, textOf } from '../../../../src/core/loom/weave/weave.ts';
import type { Authors } from '../session/authors.ts';
import type { Desk } from '../session/edit-session.ts';
import { growingParts } from '../session/outbox.ts';
import { redrawn } from './effects.ts';

/** Up to this size an edit is attributed word by word as it is typed; a longer text when it is committed. */
const EXACT = 2_000;

const marks = new Map<string, Decoration>();
function mark(name: string): Decoration {
  let found = marks.get(name);
  if (!found) {
    found = Decoration.mark({ class: name });
    marks.set(name, found);
  }
  return found;
}

/** Who wrote what, and where nodes begin, for the part of the text that is in view (W15, W8). */
export function colours(desk: Desk, authors: Authors): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate): void {
        const crosses = [update.startState, update.state].some(({ selection }) => !selection.main.empty);
        const isMoved = update.selectionSet && crosses;
        if (update.docChanged || update.viewportChanged || isMoved || isRedrawn(update)) {
          this.decorations = build(update.view);
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

  function build(view: EditorView): DecorationSet {
    const weave = desk.weave();
    const found: Range<Decoration>[] = [];
    let done = 0;
    for (const { from, to } of view.visibleRanges) {
      for (const node of nodesIn(weave, from, to)) {
        if (node.from < done || node.from === node.to) continue;
        done = node.to;
        const isStale = node.node !== null && desk.facts.entry(desk.state(), node.node)?.stale === true;
        if (node.from > 0) found.push(...edgeOf(view, node.from, node.to));
        let start = node.from;
        for (const part of spansOf(node.node, node.from, node.to, node.pending)) {
          const names = classesOf(part, isStale);
          const end = Math.min(node.from + part.end, view.state.doc.length);
          if (names !== '' && start < end) found.push(mark(names).range(start, end));
          start = end;
        }
      }
    }
    return Decoration.set(found, true);
  }

  function classesOf({ author, kind }: AuthoredSpan, isStale: boolean): string {
    const { hue } = authors.of(author, kind);
    return [hue !== undefined && `by hue-${hue}`, kind === 'imported' && 'by imported-text', isStale && 'stale']
      .filter(Boolean)
      .join(' ');
  }

  function spansOf(id: string | null, from: number, to: number, isPending: boolean): readonly AuthoredSpan[] {
    const mine: AuthoredSpan = { start: 0, end: to - from, author: desk.me, kind: 'human' };
    if (id === null) return [mine];
    if (!isPending && !id.startsWith('~')) return known(id, to - from);
    const origin = id.startsWith('~') ? desk.underWay.get(id) : { id, text: originalOf(id) };
    return origin ? edited(origin.id, origin.text, textOf(desk.weave(), from, to)) : [mine];
  }

  /** Who wrote a text that is not being edited: one that is still being written is its model's. */
  function known(id: string, length: number): readonly AuthoredSpan[] {
    const growing = growingParts(id);
    if (growing) return [{ start: 0, end: length, ...desk.writing(growing.generation) }];
    return desk.facts.spans(desk.state(), id);
  }

  function originalOf(id: string): string {
    return growingParts(id) ? (desk.weave().nodes.findLast((node) => node.id === id)?.text ?? '') : desk.textOf(id);
  }

  /** The node of the loom that an edit goes back to, through edits that are still on their way. */
  function storedFor(id: string): string {
    let stored = id;
    for (let next = desk.underWay.get(stored); next; next = desk.underWay.get(stored)) stored = next.id;
    return stored;
  }

  function edited(id: string, original: string, current: string): readonly AuthoredSpan[] {
    const earlier = id.startsWith('~') ? desk.underWay.get(id) : undefined;
    const spans = earlier ? edited(earlier.id, earlier.text, original) : known(id, original.length);
    const mine = `human ${desk.me}`;
    const before = spans.map(({ start, end, author, kind }) => ({ from: start, to: end, author: `${kind} ${author}` }));
    if (before.every(({ author }) => author === mine)) {
      return [{ start: 0, end: current.length, author: desk.me, kind: 'human' }];
    }
    if (current.length > EXACT) return roughly(spans, original, current, desk.me);
    const versions = [{ text: original, spans: before }, ...viewEarlier(desk.state(), storedFor(id))];
    return shownSpans(versions, current, mine).map(({ from, to, author }) => {
      const [kind] = author.split(' ', 1) as [AuthoredSpan['kind']];
      return { start: from, end: to, author: author.slice(kind.length + 1), kind };
    });
  }
}

/** Where a node begins: on its first character that can be seen, as a mark on all of it is drawn in each line anew (W31). */
function edgeOf({ state }: EditorView, from: number, to: number): readonly Range<Decoration>[] {
  const text = state.doc.sliceString(from, Math.min(to, from + 100, state.doc.length));
  const [, breaks = '', first = ''] = /^(\n*)([^\n]?)/u.exec(text) ?? [];
  if (first === '') return [];
  const at = from + breaks.length;
  const { selection } = state;
  const isCrossed = selection.main.from < from && from < selection.main.to;
  return [mark(isCrossed ? 'edge crossed' : 'edge').range(at, at + first.length)];
}

function isRedrawn({ transactions }: ViewUpdate): boolean {
  return transactions.some(({ effects }) => effects.some((effect) => effect.is(redrawn)));
}

/** What stands before and behind the changed part keeps its authors. */
function roughly(spans: readonly AuthoredSpan[], old: string, now: string, me: string): readonly AuthoredSpan[] {
  const most = Math.min(old.length, now.length);
  let same = 0;
  while (same < most && old.charCodeAt(same) === now.charCodeAt(same)) same++;
  let behind = 0;
  while (behind < most - same && old.charCodeAt(old.length - 1 - behind) === now.charCodeAt(now.length - 1 - behind)) {
    behind++;
  }
  const shift = now.length - old.length;
  const head = spans.filter(({ start }) => start < same).map((span) => ({ ...span, end: Math.min(span.end, same) }));
  const tail = spans
    .filter(({ end }) => end > old.length - behind)
    .map((span) => ({ ...span, start: Math.max(span.start, old.length - behind) + shift, end: span.end + shift }));
  const mine = { start: same, end: now.length - behind, author: me, kind: 'human' as const };
  return [...head, ...(mine.start < mine.end ? [mine] : []), ...tail];
}
