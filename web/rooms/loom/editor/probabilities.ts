import { EditorState, type Extension, type Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { nodesIn } from '../../../../src/core/loom/weave/weave.ts';
import type { LoomAuthors } from '../session/authors.ts';
import type { EditSession } from '../session/edit-session.ts';
import { isCommitted, type NodeViews, type TokenChoice } from '../session/node-views.ts';
import { redrawEffect } from './effects.ts';
import { HEAT_LEVELS } from './theme.ts';

/** In bits: what is less surprising than the first has no heat, what is more than the last has all of it. */
const [FIRST_BITS, LAST_BITS] = [0.3, 7];
const SURPRISING_BITS = 2;

interface ProbabilityActions {
  /** Shows what else the token at an offset could have been. */
  onOpen(at: number): void;
  onLeave(): void;
}

/** Looks at the text by how likely each token was, to read and to branch, not to write (W17). */
export function probabilities(
  session: EditSession,
  authors: LoomAuthors,
  views: NodeViews,
  { onOpen, onLeave }: ProbabilityActions,
): Extension {
  const marks = new Map<string, Decoration>();
  const markOf = (name: string) => {
    const mark = marks.get(name) ?? Decoration.mark({ class: name });
    marks.set(name, mark);
    return mark;
  };

  /** The tokens that are loaded, between two offsets of the text. */
  function tokensIn(view: EditorView, from: number, to: number) {
    return nodesIn(session.weave(), from, to).flatMap((range) => {
      if (range.node === null || range.pending || !isCommitted(range.node)) return [];
      const tokens = views.tokens(range.node, () => view.dispatch({ effects: redrawEffect.of(null) })) ?? [];
      const { hue } = authorOf(range.node);
      return tokens.map((token) => ({ at: range.from + token.start, hue, token }));
    });
  }

  function authorOf(node: string) {
    const entry = session.facts.entry(session.state(), node);
    return authors.of(entry?.author ?? '', entry?.kind ?? 'model');
  }

  function build(view: EditorView): DecorationSet {
    const { head } = view.state.selection.main;
    const ranges: Range<Decoration>[] = [];
    for (const { from, to } of view.visibleRanges) {
      for (const { at, hue, token } of tokensIn(view, from, to)) {
        const blanks = /^\s*/u.exec(token.token)![0].length;
        const [start, end] = [at + blanks, at + token.token.length];
        if (start >= end || end > view.state.doc.length) continue;
        const isMarked = at <= head && head < end && view.hasFocus;
        ranges.push(markOf(`tok hue-${hue} heat-${heatOf(token)}${isMarked ? ' marked' : ''}`).range(start, end));
      }
    }
    return Decoration.set(ranges, true);
  }

  function step(view: EditorView, direction: 1 | -1, isWanted: (token: TokenChoice) => boolean): boolean {
    const { head } = view.state.selection.main;
    const { viewport, state } = view;
    const range = direction > 0 ? [head + 1, Math.max(viewport.to, head + 1)] : [viewport.from, head];
    const tokens = tokensIn(view, range[0]!, Math.min(range[1]!, state.doc.length)).filter(({ token }) =>
      isWanted(token),
    );
    const starts = tokens.map(({ at, token }) => at + /^\s*/u.exec(token.token)![0].length);
    const next = direction > 0 ? starts.find((at) => at > head) : starts.findLast((at) => at < head);
    if (next !== undefined) view.dispatch({ selection: { anchor: next }, scrollIntoView: true });
    return true;
  }

  return [
    EditorState.readOnly.of(true),
    EditorView.editorAttributes.of({ class: 'probabilities' }),
    EditorView.editable.of(false),
    ViewPlugin.fromClass(
      class {
        decorations: DecorationSet;
        constructor(view: EditorView) {
          this.decorations = build(view);
        }
        update(update: ViewUpdate): void {
          const isRedrawn = update.transactions.some(({ effects }) => effects.some((each) => each.is(redrawEffect)));
          if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || isRedrawn)
            this.decorations = build(update.view);
        }
      },
      { decorations: (plugin) => plugin.decorations },
    ),
    keymap.of([
      { key: 'ArrowRight', run: (view) => step(view, 1, () => true) },
      { key: 'ArrowLeft', run: (view) => step(view, -1, () => true) },
      { key: 'n', run: (view) => step(view, 1, isSurprising) },
      { key: 'Shift-n', run: (view) => step(view, -1, isSurprising) },
      ...['Enter', ' '].map((key) => ({
        key,
        run: (view: EditorView) => {
          onOpen(view.state.selection.main.head);
          return true;
        },
      })),
      {
        key: 'Escape',
        run: () => {
          onLeave();
          return true;
        },
      },
    ]),
  ];
}

function bitsOf({ logprob }: TokenChoice): number {
  return logprob === null ? 0 : -logprob / Math.LN2;
}

function isSurprising(token: TokenChoice): boolean {
  return bitsOf(token) >= SURPRISING_BITS;
}

function heatOf(token: TokenChoice): number {
  const share = (bitsOf(token) - FIRST_BITS) / (LAST_BITS - FIRST_BITS);
  return Math.round(Math.min(1, Math.max(0, share)) ** 0.7 * HEAT_LEVELS);
}
