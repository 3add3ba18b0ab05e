import { type Extension, RangeSet } from '@codemirror/state';
import { Decoration, type EditorView, EditorView as View, WidgetType } from '@codemirror/view';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import type { Desk } from '../session/edit-session.ts';

/** A caret of somebody else, with the name beside it. */
class Caret extends WidgetType {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override eq(other: Caret): boolean {
    return other.name === this.name;
  }
  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = 'far';
    caret.style.color = `var(--hue-${hueOf(this.name)})`;
    caret.setAttribute('aria-hidden', 'true');
    caret.dataset.name = this.name;
    return caret;
  }
}

/** Where others are in what I see (W25). */
export function farCursors(desk: Desk): Extension {
  return View.decorations.of((view: EditorView) => {
    const found = [];
    for (const { participant, node, from } of desk.replica.cursors.get().values()) {
      if (participant === desk.me) continue;
      const range = rangeOf(desk.weave(), node);
      if (!range) continue;
      const at = Math.min(range.from + from, range.to, view.state.doc.length);
      found.push(Decoration.widget({ widget: new Caret(participant), side: 1 }).range(at));
    }
    return RangeSet.of(found, true);
  });
}

function hueOf(name: string): number {
  return [...name].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 997, 7) % 8;
}
