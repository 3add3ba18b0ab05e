import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { nodesIn } from '../../../../src/core/loom/weave/weave.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { EditSession } from '../session/edit-session.ts';
import { listenToNotches } from '../shelf/notches.ts';
import type { AlternativeKind, Shelf } from '../shelf/shelf-state.ts';
import type { AuthoredRange } from './author-colours.ts';
import { redrawEffect } from './effects.ts';
import { type MarginMark, marksForLine, type PlacedMark, widthOf } from './margin-line.ts';
import { marksIn } from './margin-marks.ts';
import { measureLines, type Stripe, stripesOf } from './stripes.ts';

const LINE_HEIGHT = 29;
const BUTTON_HEIGHT = 32;
/** Text that is being typed or written moves the margin at most this often. */
const FOLLOW_MS = 80;

interface Drawing {
  readonly marks: readonly PlacedMark[];
  readonly ticks: readonly number[];
  readonly stripes: readonly Stripe[];
  /** Where the text begins, from the left. */
  readonly textLeft: number;
}

/** The margin: who wrote what, where nodes begin, counts of branches and versions, offers, bookmarks, stale nodes. */
export function margin(session: EditSession, shelf: Shelf, authored: () => readonly AuthoredRange[]): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly box: HTMLElement;
      readonly buttons = new Map<string, HTMLElement>();
      lines: HTMLElement[] = [];
      marks: readonly MarginMark[] = [];
      edges: readonly number[] = [];
      /** The drawn marks in their current state, by key. */
      drawnMarks: ReadonlyMap<string, MarginMark> = new Map();
      timer: ReturnType<typeof setTimeout> | undefined;

      readonly view: EditorView;
      constructor(view: EditorView) {
        this.view = view;
        this.box = view.scrollDOM.appendChild(document.createElement('div'));
        this.box.className = 'marks';
        this.refresh();
      }

      update(update: ViewUpdate): void {
        const needsRedraw = update.transactions.some(({ effects }) =>
          effects.some((effect) => effect.is(redrawEffect)),
        );
        if (needsRedraw || update.viewportChanged) this.refresh();
        else if (update.docChanged) this.timer ??= setTimeout(() => this.refresh(), FOLLOW_MS);
        else if (this.timer === undefined && (update.geometryChanged || update.selectionSet)) this.place();
      }

      refresh(): void {
        clearTimeout(this.timer);
        this.timer = undefined;
        const { from, to } = this.view.viewport;
        this.marks = marksIn(session, shelf, from, to);
        this.edges = nodesIn(session.weave(), from, to)
          .filter((range) => range.from > 0 && range.from < range.to)
          .map((range) => range.from);
        this.place();
      }

      place(): void {
        this.view.requestMeasure({
          key: this,
          read: (view) => this.measure(view),
          write: (drawing) => this.draw(drawing),
        });
      }

      measure(view: EditorView): Drawing {
        const lineAt = measureLines(view);
        const { left, inside } = lineAt.page;
        const edge = left + inside - Math.min(42, inside - 28);
        const lines = new Map<number, MarginMark[]>();
        for (const mark of this.marks) {
          const { middle } = lineAt(mark.at);
          const line = lines.get(middle) ?? [];
          // One such mark per line is enough: the text itself shows which nodes are stale.
          const isDuplicate = mark.className === 'earlier' && line.some(({ className }) => className === 'earlier');
          if (!isDuplicate) lines.set(middle, [...line, mark]);
        }
        const { head } = view.state.selection.main;
        const marks: PlacedMark[] = [];
        let nextFree = Number.NEGATIVE_INFINITY;
        for (const [middle, line] of lines) {
          let [centre, usedWidth] = [Math.max(middle, nextFree), 0];
          const caret = line.length > 1 && lineAt(head).middle === middle ? head : undefined;
          // Side by side while there is room, the first one nearest to the text.
          for (const { mark, text } of marksForLine(line, edge, caret)) {
            if (usedWidth > 0 && usedWidth + widthOf(text) > edge) [centre, usedWidth] = [centre + LINE_HEIGHT, 0];
            marks.push({ mark, text, top: centre - BUTTON_HEIGHT / 2, left: edge - usedWidth });
            usedWidth += widthOf(text);
          }
          nextFree = centre + LINE_HEIGHT;
        }
        const ticks = new Set(this.edges.map((at) => lineAt(at).middle));
        return { marks, ticks: [...ticks], stripes: stripesOf(authored(), lineAt), textLeft: left + inside };
      }

      draw({ marks, ticks, stripes, textLeft }: Drawing): void {
        this.drawnMarks = new Map(marks.map(({ mark }) => [mark.key, mark]));
        for (const [key, element] of this.buttons) {
          if (this.drawnMarks.has(key)) continue;
          element.remove();
          this.buttons.delete(key);
        }
        for (const { mark, text, top, left } of marks) {
          const button = this.buttons.get(mark.key) ?? this.add(mark);
          const label = escapeBidi(text);
          if (button.textContent !== label) button.textContent = label;
          button.className = mark.className;
          button.title = escapeBidi(mark.label);
          button.ariaLabel = accessibleName(mark.label, text);
          button.style.translate = `${left}px ${top}px`;
        }
        this.drawLines(ticks, stripes, textLeft);
      }

      /** Ticks and stripes are only seen, so their elements are used again for any of them. */
      drawLines(ticks: readonly number[], stripes: readonly Stripe[], textLeft: number): void {
        const total = ticks.length + stripes.length;
        while (this.lines.length > total) this.lines.pop()?.remove();
        while (this.lines.length < total) {
          const line = this.box.insertBefore(document.createElement('i'), this.box.firstChild);
          line.ariaHidden = 'true';
          this.lines.push(line);
        }
        const set = (index: number, className: string, left: string, top: number, height: string) => {
          const line = this.lines[index]!;
          if (line.className !== className) line.className = className;
          line.style.translate = `calc(${textLeft}px - ${left}) ${top}px`;
          line.style.height = height;
        };
        for (const [index, { hue, isOwn, top, bottom }] of stripes.entries())
          set(index, `stripe hue-${hue}${isOwn ? ' own' : ''}`, 'var(--stripe)', top + 3, `${bottom - top - 6}px`);
        for (const [index, middle] of ticks.entries())
          set(stripes.length + index, 'tick', 'var(--stripe) - 9px - var(--tick)', middle - 1, '0');
      }

      add(mark: MarginMark): HTMLElement {
        const button = this.box.appendChild(document.createElement('button'));
        button.type = 'button';
        const currentMark = () => this.drawnMarks.get(mark.key) ?? mark;
        button.addEventListener('click', () => {
          const { act, node, to, at } = currentMark();
          if (act === 'offered' && to !== undefined) void session.goTo(to);
          else if (act === 'branch' || act === 'version') shelf.open(node, act);
          else {
            this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
            this.view.focus();
          }
        });
        if (mark.act === 'branch' || mark.act === 'version') makeTurnable(button, mark.act, currentMark);
        this.buttons.set(mark.key, button);
        return button;
      }

      destroy(): void {
        clearTimeout(this.timer);
        this.box.remove();
      }
    },
  );

  function makeTurnable(button: HTMLElement, kind: AlternativeKind, currentMark: () => MarginMark): void {
    const turn = (step: number) => shelf.turn(currentMark().node, kind, step);
    listenToNotches(button, turn);
    let from: { x: number; y: number } | undefined;
    button.addEventListener('pointerdown', ({ pointerType, clientX, clientY }) => {
      from = pointerType === 'mouse' ? undefined : { x: clientX, y: clientY };
    });
    button.addEventListener('pointerup', ({ clientX, clientY }) => {
      if (!from) return;
      const [x, y] = [clientX - from.x, clientY - from.y];
      const swipe = Math.abs(x) > Math.abs(y) ? -x : -y;
      if (Math.abs(swipe) > 20) turn(Math.sign(swipe));
    });
    button.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      turn(step);
    });
  }
}

/** Voice control users say the visible text, so the accessible name must contain it. */
function accessibleName(label: string, text: string): string {
  const hasText = label.toLowerCase().includes(text.toLowerCase());
  return escapeBidi(hasText ? label : `${text}: ${label}`);
}
