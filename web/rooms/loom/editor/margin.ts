import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { nodesIn } from '../../../../src/core/loom/weave/weave.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { Wheel, WheelKind } from '../dock/wheel.ts';
import type { EditSession } from '../session/edit-session.ts';
import { redrawEffect } from './effects.ts';
import { type MarginMark, marksForLine, type PlacedMark, widthOf } from './margin-line.ts';

const ROW_HEIGHT = 20;
const NOTCH_DELTA = 40;
const NOTCH_MS = 90;

/** The margin: counts of branches and versions, offers by others, bookmarks, and marks of stale nodes. */
export function margin(session: EditSession, wheel: Wheel): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly box: HTMLElement;
      readonly buttons = new Map<string, HTMLElement>();
      marks: readonly MarginMark[] = [];
      /** The drawn marks in their current state, by key. */
      drawnMarks: ReadonlyMap<string, MarginMark> = new Map();

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
        if (needsRedraw || update.viewportChanged || update.docChanged) this.refresh();
        else if (update.geometryChanged || update.selectionSet) this.place();
      }

      refresh(): void {
        const { from, to } = this.view.viewport;
        this.marks = marksIn(session, wheel, from, to);
        this.place();
      }

      place(): void {
        this.view.requestMeasure({
          key: this,
          read: (view) => {
            const box = view.scrollDOM.getBoundingClientRect();
            const left = view.contentDOM.getBoundingClientRect().left - box.left;
            const inside = Number.parseFloat(getComputedStyle(view.contentDOM).paddingLeft);
            const edge = left + inside - 8;
            const middleOf = (at: number) => {
              const coords = view.coordsAtPos(Math.min(at, view.state.doc.length), 1);
              return coords && Math.round((coords.top + coords.bottom) / 2 - box.top + view.scrollDOM.scrollTop);
            };
            const lines = new Map<number, MarginMark[]>();
            for (const mark of this.marks) {
              const middle = middleOf(mark.at);
              if (middle === undefined || middle === null) continue;
              const line = lines.get(middle) ?? [];
              // One such mark per line is enough: the text itself shows which nodes are stale.
              const isDuplicate = mark.className === 'earlier' && line.some(({ className }) => className === 'earlier');
              if (!isDuplicate) lines.set(middle, [...line, mark]);
            }
            const { head } = view.state.selection.main;
            const placedMarks: PlacedMark[] = [];
            let nextFreeTop = Number.NEGATIVE_INFINITY;
            for (const [middle, marks] of lines) {
              let [top, usedWidth] = [Math.max(middle - ROW_HEIGHT / 2, nextFreeTop), 0];
              // Side by side while there is room, the first one nearest to the text.
              for (const { mark, text } of marksForLine(marks, edge, middleOf(head) === middle ? head : undefined)) {
                if (usedWidth > 0 && usedWidth + widthOf(text) > edge) [top, usedWidth] = [top + ROW_HEIGHT, 0];
                placedMarks.push({ mark, text, top, left: edge - usedWidth });
                usedWidth += widthOf(text);
              }
              nextFreeTop = top + ROW_HEIGHT;
            }
            return placedMarks;
          },
          write: (placedMarks) => this.draw(placedMarks),
        });
      }

      draw(placedMarks: readonly PlacedMark[]): void {
        this.drawnMarks = new Map(placedMarks.map(({ mark }) => [mark.key, mark]));
        for (const [key, element] of this.buttons) {
          if (this.drawnMarks.has(key)) continue;
          element.remove();
          this.buttons.delete(key);
        }
        for (const { mark, text, top, left } of placedMarks) {
          const button = this.buttons.get(mark.key) ?? this.add(mark);
          button.textContent = escapeBidi(text);
          button.className = mark.className;
          button.title = escapeBidi(mark.label);
          button.ariaLabel = accessibleName(mark.label, text);
          button.style.top = `${top}px`;
          button.style.left = `${left}px`;
        }
      }

      add(mark: MarginMark): HTMLElement {
        const button = this.box.appendChild(document.createElement('button'));
        button.type = 'button';
        const currentMark = () => this.drawnMarks.get(mark.key) ?? mark;
        button.addEventListener('click', () => {
          const { act, node, to, at } = currentMark();
          if (act === 'offered' && to !== undefined) void session.goTo(to);
          else if (act === 'branch' || act === 'version') wheel.open(node, act);
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
        this.box.remove();
      }
    },
  );

  function makeTurnable(button: HTMLElement, kind: WheelKind, currentMark: () => MarginMark): void {
    const turn = (step: number) => wheel.turn(currentMark().node, kind, step);
    let scrollDelta = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** One notch at a time, so that a strong scroll does not skip through all alternatives; no notch is lost. */
    const notch = () => {
      timer = undefined;
      if (Math.abs(scrollDelta) < NOTCH_DELTA) return;
      turn(Math.sign(scrollDelta));
      scrollDelta = 0;
      timer = setTimeout(notch, NOTCH_MS);
    };
    button.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        scrollDelta += event.deltaY;
        if (timer === undefined) notch();
      },
      { passive: false },
    );
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

function marksIn(session: EditSession, wheel: Wheel, from: number, to: number): readonly MarginMark[] {
  const state = session.state();
  const marks: MarginMark[] = [];
  for (const range of nodesIn(session.weave(), from, to)) {
    const node = range.node;
    if (node === null) continue;
    const common = { at: range.from, node };
    const branches = wheel.alternativesAt(node, 'branch');
    if (branches.length > 1) {
      const counter = `${branches.indexOf(node) + 1}/${branches.length}`;
      const label = `Branch ${branches.indexOf(node) + 1} of ${branches.length}. Scroll, swipe or press up and down to turn; click for all.`;
      marks.push({ ...common, key: `b${keyOf(branches)}`, text: counter, label, className: 'branch', act: 'branch' });
    }
    const entry = session.facts.entry(state, node);
    if (!entry) continue;
    if (entry.versions.length > 1) {
      const count = entry.versions.length - 1;
      const index = entry.versions.indexOf(node);
      const text = `${index === count ? 'edited' : index === 0 ? 'first' : `version ${index + 1}`} ×${count}`;
      const label = `Version ${index + 1} of ${entry.versions.length}. Scroll or press up and down for the others; what follows stays.`;
      marks.push({
        ...common,
        key: `v${entry.versions[0]}`,
        text,
        brief: `v${index + 1}`,
        label,
        className: 'version',
        act: 'version',
      });
    }
    if (entry.offered) {
      const offeredVersion = entry.offered.at(-1)!;
      const author = state.graph.read().authors[state.graph.read().byId.get(offeredVersion) ?? 0];
      const label = `${author} edited this while you had it open. Click to see that version; yours is kept.`;
      marks.push({
        ...common,
        key: `o${node}`,
        text: `${author} edited`,
        brief: 'new',
        label,
        className: 'offered',
        act: 'offered',
        to: offeredVersion,
      });
    }
    if (entry.marks?.bookmark !== undefined) {
      const text = entry.marks.bookmark || 'bookmark';
      marks.push({
        ...common,
        key: `m${node}`,
        text: shorten(text),
        brief: '⚑',
        label: `Bookmark: ${text}`,
        className: '',
        act: 'none',
      });
    }
    if (entry.stale) {
      const label = 'Written against an earlier version of what stands before it. Click to go there.';
      marks.push({
        ...common,
        key: `s${node}`,
        text: 'earlier',
        brief: 'old',
        label,
        className: 'earlier',
        act: 'none',
      });
    }
  }
  return marks;
}

/** Voice control users say the visible text, so the accessible name must contain it. */
function accessibleName(label: string, text: string): string {
  const hasText = label.toLowerCase().includes(text.toLowerCase());
  return escapeBidi(hasText ? label : `${text}: ${label}`);
}

function keyOf(branches: readonly string[]): string {
  return branches[0] ?? '';
}

function shorten(text: string): string {
  return text.length > 12 ? `${text.slice(0, 11)}…` : text;
}
