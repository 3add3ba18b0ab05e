import { Compartment, EditorState, Prec, type Transaction } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder } from '@codemirror/view';
import type { Change } from '../../../../src/core/loom/weave/weave.ts';
import { textOf } from '../../../../src/core/loom/weave/weave.ts';
import type { Wheel } from '../dock/wheel.ts';
import { type Actions, type Bindings, keysOf } from '../keymap.ts';
import type { Authors } from '../session/authors.ts';
import type { Desk, Told } from '../session/edit-session.ts';
import { colours } from './author-colours.ts';
import { directions } from './directions.ts';
import { redrawn, told } from './effects.ts';
import { margin } from './margin.ts';
import { farCursors } from './remote-cursors.ts';
import { specialChars } from './special-chars.ts';
import { standardKeys } from './standard-keys.ts';
import { theme } from './theme.ts';
import { windowLine } from './window-line.ts';

const TOGETHER_MS = 700;

export interface EditorOptions {
  readonly desk: Desk;
  readonly authors: Authors;
  readonly wheel: Wheel;
  readonly actions: Actions;
  readonly bindings: Bindings;
  /** The caret or what is selected has moved. */
  moved(from: number, to: number): void;
}

/**
 * The editing engine on the weave: what is typed goes to the desk first, and
 * what the desk tells is shown. It stands in a shadow tree, because there its
 * styles need no permission of the page's content security policy.
 */
export function openEditor(host: HTMLElement, { desk, authors, wheel, actions, bindings, moved }: EditorOptions) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const keys = new Compartment();
  let last = { time: 0, at: -1 };

  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: EditorState.create({ doc: textOf(desk.weave()), extensions: EditorState.lineSeparator.of('\n') }).doc,
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
        drawSelection(isStill() ? { cursorBlinkRate: 0 } : {}),
        specialChars,
        placeholder('Write the first sentence.'),
        Prec.high(keys.of(keymap.of(keysOf(actions, bindings)))),
        keymap.of(standardKeys),
        theme,
        colours(desk, authors),
        margin(desk, wheel),
        windowLine(desk),
        farCursors(desk),
        EditorView.updateListener.of((update) => {
          if (!update.selectionSet && !update.docChanged) return;
          const { from, to } = update.state.selection.main;
          moved(from, to);
        }),
        EditorView.domEventHandlers({ blur: () => desk.keep() }),
      ],
    }),
    dispatchTransactions(transactions, view) {
      const taken: Transaction[] = [];
      for (const transaction of transactions) {
        if (transaction.docChanged && !transaction.annotation(told) && !take(transaction)) break;
        taken.push(transaction);
      }
      if (taken.length > 0) view.update(taken);
    },
  });

  /** What goes on where the last piece was typed, soon after it, is undone together with it. */
  function take(transaction: Transaction): boolean {
    const changes: Change[] = [];
    transaction.changes.iterChanges((from, to, _, __, insert) => {
      changes.push({ from, to, insert: insert.sliceString(0, insert.length, '\n') });
    });
    const [first] = changes;
    const time = Date.now();
    const isTyped = transaction.isUserEvent('input.type') || transaction.isUserEvent('delete');
    const goesOn = first?.from === last.at || first?.to === last.at;
    const join = isTyped && changes.length === 1 && goesOn && time - last.time < TOGETHER_MS;
    if (desk.edit(changes, join)) return false;
    last = { time, at: first ? first.from + first.insert.length : -1 };
    return true;
  }

  function show({ changes, caret }: Told): void {
    for (const [index, change] of changes.entries()) {
      const isLast = index === changes.length - 1;
      const follows = caret === undefined && isAtEnd(change);
      view.dispatch({
        changes: change,
        annotations: told.of(true),
        ...(follows && { selection: { anchor: change.from + change.insert.length } }),
        ...(isLast && caret !== undefined && { selection: { anchor: caret }, scrollIntoView: true }),
      });
    }
    last = { time: 0, at: -1 };
  }

  /** Whoever writes at the end is at the end of what is added there, too. */
  function isAtEnd({ from, to }: Change): boolean {
    const { doc, selection } = view.state;
    return selection.main.empty && selection.main.head === doc.length && from === to && from === doc.length;
  }

  const stops = [
    desk.attach(show, (from, to) => view.state.doc.sliceString(from, to, '\n')),
    desk.look.watch(() => view.dispatch({ effects: redrawn.of(null) })),
    desk.replica.cursors.watch(() => view.dispatch({ effects: redrawn.of(null) })),
  ];

  return {
    view,
    /** Scrolls so far that a place is seen above what lies over the foot of the text. */
    reveal(at: number): void {
      view.dispatch({ effects: EditorView.scrollIntoView(at, { y: 'nearest', yMargin: 180 }) });
    },
    setKeys(bindings: Bindings): void {
      view.dispatch({ effects: keys.reconfigure(keymap.of(keysOf(actions, bindings))) });
    },
    close(): void {
      for (const stop of stops) stop();
      view.destroy();
    },
  };
}

export type Editor = ReturnType<typeof openEditor>;

/** Whoever wants no motion gets a caret that does not blink. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}
