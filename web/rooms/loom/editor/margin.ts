import type { Extension } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { nodesIn } from '../../../../src/core/loom/weave/weave.ts';
import { visible } from '../../../ui/text/visible.ts';
import type { Kind, Wheel } from '../dock/wheel.ts';
import type { Desk } from '../session/edit-session.ts';
import { redrawn } from './effects.ts';
import { type Mark, marksOfLine, type Placed, widthOf } from './margin-line.ts';

const ROW = 20;
const NOTCH = 40;
const NOTCH_MS = 90;

/** Counters of branches and versions, what others offer, bookmarks, and what was written against an earlier text. */
export function margin(desk: Desk, wheel: Wheel): Extension {
  return ViewPlugin.fromClass(
    class {
      readonly box: HTMLElement;
      readonly shown = new Map<string, HTMLElement>();
      marks: readonly Mark[] = [];
      /** Those that are drawn, by key, as they are now. */
      drawn: ReadonlyMap<string, Mark> = new Map();

      readonly view: EditorView;
      constructor(view: EditorView) {
        this.view = view;
        this.box = view.scrollDOM.appendChild(document.createElement('div'));
        this.box.className = 'marks';
        this.find();
      }

      update(update: ViewUpdate): void {
        const isRedrawn = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(redrawn)));
        if (isRedrawn || update.viewportChanged || update.docChanged) this.find();
        else if (update.geometryChanged || update.selectionSet) this.place();
      }

      find(): void {
        const { from, to } = this.view.viewport;
        this.marks = marksIn(desk, wheel, from, to);
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
            const lines = new Map<number, Mark[]>();
            for (const mark of this.marks) {
              const middle = middleOf(mark.at);
              if (middle === undefined || middle === null) continue;
              const line = lines.get(middle) ?? [];
              // One for all of a line: the text itself says which they are.
              const isKnown = mark.className === 'earlier' && line.some(({ className }) => className === 'earlier');
              if (!isKnown) lines.set(middle, [...line, mark]);
            }
            const { head } = view.state.selection.main;
            const placed: Placed[] = [];
            let free = Number.NEGATIVE_INFINITY;
            for (const [middle, marks] of lines) {
              let [top, used] = [Math.max(middle - ROW / 2, free), 0];
              // Beside each other while there is room, the first nearest to the text.
              for (const { mark, text } of marksOfLine(marks, edge, middleOf(head) === middle ? head : undefined)) {
                if (used > 0 && used + widthOf(text) > edge) [top, used] = [top + ROW, 0];
                placed.push({ mark, text, top, left: edge - used });
                used += widthOf(text);
              }
              free = top + ROW;
            }
            return placed;
          },
          write: (placed) => this.draw(placed),
        });
      }

      draw(placed: readonly Placed[]): void {
        this.drawn = new Map(placed.map(({ mark }) => [mark.key, mark]));
        for (const [key, element] of this.shown) {
          if (this.drawn.has(key)) continue;
          element.remove();
          this.shown.delete(key);
        }
        for (const { mark, text, top, left } of placed) {
          const button = this.shown.get(mark.key) ?? this.add(mark);
          button.textContent = visible(text);
          button.className = mark.className;
          button.title = visible(mark.label);
          button.ariaLabel = named(mark.label, text);
          button.style.top = `${top}px`;
          button.style.left = `${left}px`;
        }
      }

      add(mark: Mark): HTMLElement {
        const button = this.box.appendChild(document.createElement('button'));
        button.type = 'button';
        const now = () => this.drawn.get(mark.key) ?? mark;
        button.addEventListener('click', () => {
          const { act, node, to, at } = now();
          if (act === 'offered' && to !== undefined) void desk.goTo(to);
          else if (act === 'branch' || act === 'version') wheel.open(node, act);
          else {
            this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
            this.view.focus();
          }
        });
        if (mark.act === 'branch' || mark.act === 'version') turnable(button, mark.act, now);
        this.shown.set(mark.key, button);
        return button;
      }

      destroy(): void {
        this.box.remove();
      }
    },
  );

  function turnable(button: HTMLElement, kind: Kind, now: () => Mark): void {
    const turn = (step: number) => wheel.turn(now().node, kind, step);
    let gathered = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** One notch at a time, so that a strong push does not run through all; none is lost. */
    const notch = () => {
      timer = undefined;
      if (Math.abs(gathered) < NOTCH) return;
      turn(Math.sign(gathered));
      gathered = 0;
      timer = setTimeout(notch, NOTCH_MS);
    };
    button.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        gathered += event.deltaY;
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
      const way = Math.abs(x) > Math.abs(y) ? -x : -y;
      if (Math.abs(way) > 20) turn(Math.sign(way));
    });
    button.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      turn(step);
    });
  }
}

function marksIn(desk: Desk, wheel: Wheel, from: number, to: number): readonly Mark[] {
  const state = desk.state();
  const marks: Mark[] = [];
  for (const range of nodesIn(desk.weave(), from, to)) {
    const node = range.node;
    if (node === null) continue;
    const at = { at: range.from, node };
    const branches = wheel.allAt(node, 'branch');
    if (branches.length > 1) {
      const place = `${branches.indexOf(node) + 1}/${branches.length}`;
      const label = `Branch ${branches.indexOf(node) + 1} of ${branches.length}. Scroll, swipe or press up and down to turn; click for all.`;
      marks.push({ ...at, key: `b${keyOf(branches)}`, text: place, label, className: 'branch', act: 'branch' });
    }
    const entry = desk.facts.entry(state, node);
    if (!entry) continue;
    if (entry.versions.length > 1) {
      const count = entry.versions.length - 1;
      const which = entry.versions.indexOf(node);
      const text = `${which === count ? 'edited' : which === 0 ? 'first' : `version ${which + 1}`} ×${count}`;
      const label = `Version ${which + 1} of ${entry.versions.length}. Scroll or press up and down for the others; what follows stays.`;
      marks.push({
        ...at,
        key: `v${entry.versions[0]}`,
        text,
        brief: `v${which + 1}`,
        label,
        className: 'version',
        act: 'version',
      });
    }
    if (entry.offered) {
      const to = entry.offered.at(-1)!;
      const who = state.graph.look().authors[state.graph.look().byId.get(to) ?? 0];
      const label = `${who} edited this while you had it open. Click to see that version; yours is kept.`;
      marks.push({
        ...at,
        key: `o${node}`,
        text: `${who} edited`,
        brief: 'new',
        label,
        className: 'offered',
        act: 'offered',
        to,
      });
    }
    if (entry.marks?.bookmark !== undefined) {
      const text = entry.marks.bookmark || 'bookmark';
      marks.push({
        ...at,
        key: `m${node}`,
        text: short(text),
        brief: '⚑',
        label: `Bookmark: ${text}`,
        className: '',
        act: 'none',
      });
    }
    if (entry.stale) {
      const label = 'Written against an earlier version of what stands before it. Click to go there.';
      marks.push({ ...at, key: `s${node}`, text: 'earlier', brief: 'old', label, className: 'earlier', act: 'none' });
    }
  }
  return marks;
}

/** Whoever speaks to the page says what they read: it is part of the name. */
function named(label: string, text: string): string {
  const isIn = label.toLowerCase().includes(text.toLowerCase());
  return visible(isIn ? label : `${text}: ${label}`);
}

function keyOf(branches: readonly string[]): string {
  return branches[0] ?? '';
}

function short(text: string): string {
  return text.length > 12 ? `${text.slice(0, 11)}…` : text;
}
