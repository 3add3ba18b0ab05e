import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const autoDirection = Decoration.line({ attributes: { dir: 'auto' } });

/** Each line takes its text direction from its own first letters. */
export const directions: Extension = [
  EditorView.perLineTextDirection.of(true),
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = lineDecorations(view);
      }
      update({ docChanged, viewportChanged, view }: ViewUpdate): void {
        if (docChanged || viewportChanged) this.decorations = lineDecorations(view);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
];

function lineDecorations({ state, viewport }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (let at = viewport.from; at <= viewport.to; ) {
    const line = state.doc.lineAt(at);
    builder.add(line.from, line.from, autoDirection);
    at = line.to + 1;
  }
  return builder.finish();
}
