import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import type { EditSession } from '../session/edit-session.ts';
import type { WindowEdge } from '../session/window-edge.ts';
import { redrawEffect } from './effects.ts';

/** Draws a line at the start of the text that was visible to the last model with a full context window (W18). */
export function windowLine(session: EditSession): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate): void {
        const needsRedraw = update.transactions.some(({ effects }) =>
          effects.some((effect) => effect.is(redrawEffect)),
        );
        if (needsRedraw) this.decorations = build(update.view);
        else if (update.docChanged) this.decorations = this.decorations.map(update.changes);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );

  function build(view: EditorView): DecorationSet {
    const edge = session.windowEdge();
    const node = edge && session.weave().nodes[edge.position];
    const at = node && rangeOf(session.weave(), node.id)?.from;
    if (at === undefined || at > view.state.doc.length) return Decoration.none;
    return Decoration.set(Decoration.widget({ widget: new WindowLineWidget(edge!), side: -1 }).range(at));
  }
}

class WindowLineWidget extends WidgetType {
  readonly words: string;

  constructor({ words }: WindowEdge) {
    super();
    this.words = words;
  }

  override eq({ words }: WindowLineWidget): boolean {
    return words === this.words;
  }

  /** CSS draws the label, so that it never counts as text. */
  override toDOM(): HTMLElement {
    const line = document.createElement('span');
    line.className = 'window-line';
    line.role = 'separator';
    line.ariaLabel = this.words;
    line.dataset.words = this.words;
    return line;
  }
}
