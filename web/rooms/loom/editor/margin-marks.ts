import { nodesIn } from '../../../../src/core/loom/weave/weave.ts';
import type { EditSession } from '../session/edit-session.ts';
import type { Shelf } from '../shelf/shelf-state.ts';
import type { MarginMark } from './margin-line.ts';

/** What stands in the margin beside the nodes between two offsets. */
export function marksIn(session: EditSession, shelf: Shelf, from: number, to: number): readonly MarginMark[] {
  const state = session.state();
  const marks: MarginMark[] = [];
  for (const range of nodesIn(session.weave(), from, to)) {
    const node = range.node;
    if (node === null) continue;
    const common = { at: range.from, node };
    const branches = shelf.alternativesAt(node, 'branch');
    if (branches.length > 1) {
      const text = `${branches.indexOf(node) + 1} of ${branches.length}`;
      const label = `Branch ${text}. Scroll, swipe or press up and down to switch; click to see all.`;
      marks.push({
        ...common,
        key: `b${keyOf(branches)}`,
        text,
        briefs: [`${branches.indexOf(node) + 1}/${branches.length}`, ''],
        label,
        className: 'branch',
        act: 'branch',
      });
    }
    const entry = session.facts.entry(state, node);
    if (!entry) continue;
    if (entry.versions.length > 1) {
      const count = entry.versions.length - 1;
      const index = entry.versions.indexOf(node);
      const text = `${index === count ? 'edited' : index === 0 ? 'first' : `version ${index + 1}`} ×${count}`;
      const label = `Version ${index + 1} of ${entry.versions.length}. Scroll or press up and down to switch; the text after it stays.`;
      marks.push({
        ...common,
        key: `v${entry.versions[0]}`,
        text,
        briefs: [`v${index + 1}`],
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
        briefs: ['new', '+'],
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
        briefs: ['⚑'],
        label: `Bookmark: ${text}`,
        className: '',
        act: 'none',
      });
    }
    if (entry.stale) {
      const label = 'Written against an earlier version of the text before it. Click to go there.';
      marks.push({
        ...common,
        key: `s${node}`,
        text: 'older',
        briefs: ['old', '↺'],
        label,
        className: 'earlier',
        act: 'none',
      });
    }
  }
  return marks;
}

function keyOf(branches: readonly string[]): string {
  return branches[0] ?? '';
}

function shorten(text: string): string {
  return text.length > 12 ? `${text.slice(0, 11)}…` : text;
}
