import { Compartment, EditorState, Prec, type Transaction } from '@codemirror/state';
import { drawSelection, EditorView, type KeyBinding, keymap, placeholder } from '@codemirror/view';
import type { TextChange } from '../../../../src/core/loom/weave/weave.ts';
import { textOf } from '../../../../src/core/loom/weave/weave.ts';
import { type ActionHandlers, type Bindings, keymapOf } from '../keymap.ts';
import type { LoomView } from '../loom.ts';
import type { LoomAuthors } from '../session/authors.ts';
import type { EditSession, TextUpdate } from '../session/edit-session.ts';
import type { NodeViews } from '../session/node-views.ts';
import type { Shelf } from '../shelf/shelf-state.ts';
import { authorColours } from './author-colours.ts';
import { directions } from './directions.ts';
import { redrawEffect, sessionUpdate } from './effects.ts';
import { margin } from './margin.ts';
import { probabilities } from './probabilities.ts';
import { remoteCursors } from './remote-cursors.ts';
import { specialChars } from './special-chars.ts';
import { standardKeys } from './standard-keys.ts';
import { editorTheme } from './theme.ts';
import { windowLine } from './window-line.ts';

const UNDO_JOIN_MS = 700;

export interface LoomEditorOptions {
  readonly session: EditSession;
  readonly authors: LoomAuthors;
  readonly shelf: Shelf;
  readonly nodeViews: NodeViews;
  readonly actions: ActionHandlers;
  readonly bindings: Bindings;
  /** Called when the caret or the selection has moved. */
  onSelectionChange(from: number, to: number): void;
  /** Called with the offset when the user edits the text. */
  onEdit(at: number): void;
  onChooseNumber(number: number): void;
  /** Shows who wrote the text at an offset and what else it could have been. */
  onAsk(at: number): void;
  onLeaveView(): void;
}

/**
 * Opens the text editor on the weave. Edits go to the edit session first, and
 * the editor shows the updates that the session sends. It lives in a shadow
 * tree, where the page's content security policy allows its styles.
 */
export function openEditor(host: HTMLElement, options: LoomEditorOptions) {
  const { session, authors, shelf, nodeViews, actions, bindings, onSelectionChange } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const [keys, look, hold] = [new Compartment(), new Compartment(), new Compartment()];
  let areAuthorsShown = false;
  const colours = authorColours(session, authors);
  const [before, after] = [slotNamed('before'), slotNamed('after')];
  let lastEdit = { time: 0, at: -1 };

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: EditorState.create({ doc: textOf(session.weave()), extensions: EditorState.lineSeparator.of('\n') }).doc,
      extensions: [
        EditorState.lineSeparator.of('\n'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': 'Text of the loom',
          'aria-multiline': 'true',
          tabindex: '0',
          spellcheck: 'true',
          autocapitalize: 'sentences',
        }),
        EditorView.clipboardInputFilter.of((text) => text.replaceAll('\r\n', '\n').replaceAll('\0', '')),
        directions,
        drawSelection(prefersReducedMotion() ? { cursorBlinkRate: 0 } : {}),
        specialChars,
        placeholder('Write the first sentence.'),
        Prec.highest(look.of([])),
        hold.of([]),
        Prec.high(keys.of(keymap.of(keymapOf(actions, bindings)))),
        keymap.of(numberKeys(options.onChooseNumber)),
        keymap.of(standardKeys),
        editorTheme,
        colours.extension,
        margin(session, shelf, colours.ranges),
        windowLine(session),
        remoteCursors(session),
        EditorView.updateListener.of((update) => {
          if (!update.selectionSet && !update.docChanged) return;
          const { from, to } = update.state.selection.main;
          onSelectionChange(from, to);
        }),
        EditorView.domEventHandlers({ blur: () => session.saveScratch() }),
      ],
    }),
    dispatchTransactions(transactions, view) {
      const accepted: Transaction[] = [];
      for (const transaction of transactions) {
        if (transaction.docChanged && !transaction.annotation(sessionUpdate) && !submitEdit(transaction)) break;
        accepted.push(transaction);
      }
      if (accepted.length > 0) view.update(accepted);
    },
  });

  // What the page puts before and after the text scrolls with it.
  view.scrollDOM.insertBefore(before, view.contentDOM);
  view.contentDOM.after(after);

  /** Text typed soon after the last edit, and right where it ended, joins its undo step. */
  function submitEdit(transaction: Transaction): boolean {
    const changes: TextChange[] = [];
    transaction.changes.iterChanges((from, to, _, __, insert) => {
      changes.push({ from, to, insert: insert.sliceString(0, insert.length, '\n') });
    });
    const [first] = changes;
    const time = Date.now();
    const isTyped = transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');
    const continuesLast = first?.from === lastEdit.at || first?.to === lastEdit.at;
    const join = isTyped && changes.length === 1 && continuesLast && time - lastEdit.time < UNDO_JOIN_MS;
    if (session.edit(changes, join)) return false;
    lastEdit = { time, at: first ? first.from + first.insert.length : -1 };
    options.onEdit(first?.from ?? 0);
    return true;
  }

  function applyUpdate({ changes, caret }: TextUpdate): void {
    for (const [index, change] of changes.entries()) {
      const isLast = index === changes.length - 1;
      const movesCaret = caret === undefined && isAtEnd(change);
      view.dispatch({
        changes: change,
        annotations: sessionUpdate.of(true),
        ...(movesCaret && { selection: { anchor: change.from + change.insert.length } }),
        ...(isLast && caret !== undefined && { selection: { anchor: caret }, scrollIntoView: true }),
      });
    }
    lastEdit = { time: 0, at: -1 };
  }

  /** True if the caret is at the end and text is added there: the caret then stays at the end. */
  function isAtEnd({ from, to }: TextChange): boolean {
    const { doc, selection } = view.state;
    return selection.main.empty && selection.main.head === doc.length && from === to && from === doc.length;
  }

  const unsubscribers = [
    session.attach(applyUpdate, (from, to) => view.state.doc.sliceString(from, to, '\n')),
    session.revision.watch(() => view.dispatch({ effects: redrawEffect.of(null) })),
    session.replica.cursors.watch(() => view.dispatch({ effects: redrawEffect.of(null) })),
  ];

  return {
    view,
    /** Shows each author in full colour. */
    showAuthors(isShown: boolean): void {
      if (areAuthorsShown === isShown) return;
      areAuthorsShown = isShown;
      colours.showOwn(isShown);
      const attributes = isShown ? EditorView.editorAttributes.of({ class: 'authors' }) : [];
      view.dispatch({ effects: [hold.reconfigure(attributes), redrawEffect.of(null)] });
    },
    setView(next: LoomView): void {
      const isProbable = next === 'probabilities';
      const open = { onOpen: options.onAsk, onLeave: options.onLeaveView };
      view.dispatch({
        effects: look.reconfigure(isProbable ? probabilities(session, authors, nodeViews, open) : []),
      });
      this.showAuthors(next === 'authors');
    },
    scrollToEnd(): void {
      view.scrollDOM.scrollTo({ top: view.scrollDOM.scrollHeight, behavior: 'instant' });
    },
    /** Scrolls until an offset is visible above the overlay at the bottom of the text. */
    reveal(at: number): void {
      view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 180 }) });
    },
    setKeys(bindings: Bindings): void {
      view.dispatch({ effects: keys.reconfigure(keymap.of(keymapOf(actions, bindings))) });
    },
    close(): void {
      for (const stop of unsubscribers) stop();
      view.destroy();
    },
  };
}

export type LoomEditor = ReturnType<typeof openEditor>;

/** Where the page's own elements are shown among those of the editor. */
function slotNamed(name: string): HTMLElement {
  const slot = document.createElement('slot');
  slot.name = name;
  return slot;
}

/** Alt and a number show that alternative; a number alone is text. */
function numberKeys(onChoose: (number: number) => void): KeyBinding[] {
  return Array.from({ length: 9 }, (_, index) => ({
    key: `Alt-${index + 1}`,
    preventDefault: true,
    run() {
      onChoose(index + 1);
      return true;
    },
  }));
}

/** With reduced motion, the caret does not blink. */
function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
