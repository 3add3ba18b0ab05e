import { type Extension, RangeSet } from '@codemirror/state';
import { Decoration, type EditorView, EditorView as View, WidgetType } from '@codemirror/view';
import { rangeOf } from '../../../../src/core/loom/weave/weave.ts';
import { hueOf } from '../../../ui/people/hue.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { EditSession } from '../session/edit-session.ts';

/** Another participant's caret, with their name. */
class RemoteCaret extends WidgetType {
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
  override eq(other: RemoteCaret): boolean {
    return other.name === this.name;
  }
  override toDOM(): HTMLElement {
    const caret = document.createElement('span');
    caret.className = 'far';
    caret.style.color = `var(--hue-${hueOf(this.name)})`;
    caret.setAttribute('aria-hidden', 'true');
    caret.dataset.name = escapeBidi(this.name);
    return caret;
  }
}

/** Shows the carets of others in the visible path (W25). */
export function remoteCursors(session: EditSession): Extension {
  return View.decorations.of((view: EditorView) => {
    const decorations = [];
    for (const { participant, node, from } of session.replica.cursors.get().values()) {
      if (participant === session.me) continue;
      const range = rangeOf(session.weave(), node);
      if (!range) continue;
      const at = Math.min(range.from + from, range.to, view.state.doc.length);
      decorations.push(Decoration.widget({ widget: new RemoteCaret(participant), side: 1 }).range(at));
    }
    return RangeSet.of(decorations, true);
  });
}
