import type { Extension, Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { viewEarlierTexts } from '../../../../src/core/loom/authorship/node-spans.ts';
import { shownSpans } from '../../../../src/core/loom/authorship/spans.ts';
import type { AuthoredSpan } from '../../../../src/core/loom/view-schema.ts';
import { nodesIn, textOf } from '../../../../src/core/loom/weave/weave.ts';
import { commonEnds } from '../common-ends.ts';
import type { LoomAuthors } from '../session/authors.ts';
import type { EditSession } from '../session/edit-session.ts';
import { parseStreamNodeId } from '../session/outbox.ts';
import { redrawEffect } from './effects.ts';

/** Up to this length, an edit is attributed word by word while typing; a longer text only when it is committed. */
const MAX_EXACT_LENGTH = 2_000;

const classMarks = new Map<string, Decoration>();
function classMark(name: string): Decoration {
  let decoration = classMarks.get(name);
  if (!decoration) {
    decoration = Decoration.mark({ class: name });
    classMarks.set(name, decoration);
  }
  return decoration;
}

/** A part of the text by one author. */
export interface AuthoredRange {
  readonly from: number;
  /** Where it has something to see, after line breaks. */
  readonly textFrom: number;
  to: number;
  readonly hue: number;
  readonly isOwn: boolean;
}

/** Marks authors and node starts in the visible part of the text (W15, W8). */
export function authorColours(session: EditSession, authors: LoomAuthors) {
  let visibleRanges: AuthoredRange[] = [];
  let showsOwn = false;
  const extension: Extension = ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate): void {
        const hasSelection = [update.startState, update.state].some(({ selection }) => !selection.main.empty);
        const isSelectionMoved = update.selectionSet && hasSelection;
        if (update.docChanged || update.viewportChanged || isSelectionMoved || needsRedraw(update)) {
          this.decorations = build(update.view);
        }
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
  return {
    extension,
    /** Who wrote what is visible, in order; neighbours by one author are joined. */
    ranges: (): readonly AuthoredRange[] => visibleRanges,
    /** Whether people's own text is marked too, from the next redraw on. */
    showOwn(isShown: boolean): void {
      showsOwn = isShown;
    },
  };

  function build(view: EditorView): DecorationSet {
    const weave = session.weave();
    const ranges: Range<Decoration>[] = [];
    visibleRanges = [];
    let coveredTo = 0;
    for (const { from, to } of view.visibleRanges) {
      for (const node of nodesIn(weave, from, to)) {
        if (node.from < coveredTo || node.from === node.to) continue;
        coveredTo = node.to;
        const isStale = node.node !== null && session.facts.entry(session.state(), node.node)?.stale === true;
        if (node.from > 0) ranges.push(...edgeDecorations(view, node.from, node.to));
        let start = node.from;
        for (const span of spansOf(node.node, node.from, node.to, node.pending)) {
          const { hue } = authors.of(span.author, span.kind);
          const names = classesOf(span, hue, isStale);
          const end = Math.min(node.from + span.end, view.state.doc.length);
          if (names !== '' && start < end) ranges.push(classMark(names).range(start, end));
          if (start < end) addRange(view, start, end, hue, span.kind === 'human' && span.author === session.me);
          start = end;
        }
      }
    }
    return Decoration.set(ranges, true);
  }

  function addRange({ state }: EditorView, from: number, to: number, hue: number, isOwn: boolean): void {
    const last = visibleRanges.at(-1);
    if (last?.to === from && last.hue === hue && last.isOwn === isOwn) last.to = to;
    else {
      const breaks = /^\n*/.exec(state.doc.sliceString(from, Math.min(to, from + 20)))![0].length;
      visibleRanges.push({ from, textFrom: from + breaks, to, hue, isOwn });
    }
  }

  /** People's own text stays plain, except where authors are what one looks at. */
  function classesOf({ kind }: AuthoredSpan, hue: number, isStale: boolean): string {
    return [kind !== 'human' ? `by hue-${hue}` : showsOwn && `person hue-${hue}`, isStale && 'stale']
      .filter(Boolean)
      .join(' ');
  }

  function spansOf(id: string | null, from: number, to: number, isPending: boolean): readonly AuthoredSpan[] {
    const ownSpan: AuthoredSpan = { start: 0, end: to - from, author: session.me, kind: 'human' };
    if (id === null) return [ownSpan];
    if (!isPending && !id.startsWith('~')) return committedSpans(id, to - from);
    const origin = id.startsWith('~') ? session.pendingOrigins.get(id) : { id, text: originalText(id) };
    return origin ? editedSpans(origin.id, origin.text, textOf(session.weave(), from, to)) : [ownSpan];
  }

  /** The authors of a text without a pending edit; a streaming text belongs to its model. */
  function committedSpans(id: string, length: number): readonly AuthoredSpan[] {
    const growing = parseStreamNodeId(id);
    if (growing) return [{ start: 0, end: length, ...session.authorOfStream(growing.generation) }];
    return session.facts.spans(session.state(), id);
  }

  function originalText(id: string): string {
    return parseStreamNodeId(id)
      ? (session.weave().nodes.findLast((node) => node.id === id)?.text ?? '')
      : session.textOf(id);
  }

  /** The stored node that an edit is based on, followed through unsettled commits. */
  function storedNode(id: string): string {
    let stored = id;
    for (let next = session.pendingOrigins.get(stored); next; next = session.pendingOrigins.get(stored))
      stored = next.id;
    return stored;
  }

  function editedSpans(id: string, original: string, current: string): readonly AuthoredSpan[] {
    const previous = id.startsWith('~') ? session.pendingOrigins.get(id) : undefined;
    const spans = previous ? editedSpans(previous.id, previous.text, original) : committedSpans(id, original.length);
    const ownAuthor = `human ${session.me}`;
    const originalSpans = spans.map(({ start, end, author, kind }) => ({
      from: start,
      to: end,
      author: `${kind} ${author}`,
    }));
    if (originalSpans.every(({ author }) => author === ownAuthor)) {
      return [{ start: 0, end: current.length, author: session.me, kind: 'human' }];
    }
    if (current.length > MAX_EXACT_LENGTH) return approximateSpans(spans, original, current, session.me);
    const earlierTexts = [
      { text: original, spans: originalSpans },
      ...viewEarlierTexts(session.state(), storedNode(id)),
    ];
    return shownSpans(earlierTexts, current, ownAuthor).map(({ from, to, author }) => {
      const [kind] = author.split(' ', 1) as [AuthoredSpan['kind']];
      return { start: from, end: to, author: author.slice(kind.length + 1), kind };
    });
  }
}

/**
 * Marks the start of a node on its first visible character; a mark on the whole node would repeat in each line (W31).
 */
function edgeDecorations({ state }: EditorView, from: number, to: number): readonly Range<Decoration>[] {
  const text = state.doc.sliceString(from, Math.min(to, from + 100, state.doc.length));
  const [, lineBreaks = '', first = ''] = /^(\n*)([^\n]?)/u.exec(text) ?? [];
  const at = from + lineBreaks.length;
  // At the start of a line the tick in the margin says it.
  if (first === '' || state.doc.lineAt(at).from === at) return [];
  const { selection } = state;
  const isCrossed = selection.main.from < from && from < selection.main.to;
  return [classMark(isCrossed ? 'edge crossed' : 'edge').range(at, at + first.length)];
}

function needsRedraw({ transactions }: ViewUpdate): boolean {
  return transactions.some(({ effects }) => effects.some((effect) => effect.is(redrawEffect)));
}

/** Keeps the authors of the text before and after the changed part. */
function approximateSpans(
  spans: readonly AuthoredSpan[],
  before: string,
  after: string,
  me: string,
): readonly AuthoredSpan[] {
  const { prefix, suffix } = commonEnds(before, after);
  const shift = after.length - before.length;
  const head = spans
    .filter(({ start }) => start < prefix)
    .map((span) => ({ ...span, end: Math.min(span.end, prefix) }));
  const tail = spans
    .filter(({ end }) => end > before.length - suffix)
    .map((span) => ({
      ...span,
      start: Math.max(span.start, before.length - suffix) + shift,
      end: span.end + shift,
    }));
  const ownSpan = { start: prefix, end: after.length - suffix, author: me, kind: 'human' as const };
  return [...head, ...(ownSpan.start < ownSpan.end ? [ownSpan] : []), ...tail];
}
