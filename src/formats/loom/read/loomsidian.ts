import { assemble } from '../assemble.ts';
import { dropRest, extraOf, SETTINGS, VIEW_STATE } from '../extra-fields.ts';
import { type Fields, flag, isObject, object, own, text } from '../fields.ts';
import type { Value } from '../json.ts';
import { type Draft, linkParents } from '../node-drafts.ts';
import { createReporter } from '../report.ts';
import { countSecrets } from '../secrets.ts';
import type { Imported } from '../tree.ts';
import { nodesOf } from './nodes.ts';

/*
 * The Obsidian plugin: `{settings, state}` with one loom per note, or one note's
 * part alone, as its own export writes it. It does not know who wrote what.
 */

const KNOWN = new Set(['id', 'text', 'value', 'parentId', 'bookmarked']);
const SHOWN = new Set(['collapsed', 'unread', 'lastVisited', 'searchResultState']);

export function isLoomsidian(value: Value): boolean {
  const state = object(value, 'state');
  if (state)
    return Object.values(state).some(isNote) || (isObject(own(value, 'settings')) && Object.keys(state).length === 0);
  return isNote(value);
}

function isNote(value: Value): boolean {
  if (text(value, 'current') === undefined && own(value, 'hoisted') === undefined) return false;
  return isObject(own(value, 'nodes'));
}

export function readLoomsidian(value: Value, name: string): readonly Imported[] {
  const state = object(value, 'state');
  if (state === undefined) return [readNote(value as Fields, name)];
  const secrets = countSecrets('settings', own(value, 'settings'));
  const notes = Object.entries(state).filter(([, note]) => isObject(own(note, 'nodes')));
  return notes.map(([path, note], index) => readNote(note as Fields, titleOf(path), index === 0 ? secrets : undefined));
}

/** `secrets`: how many the settings held, told once. */
function readNote(note: Fields, title: string, secrets?: number): Imported {
  const reporter = createReporter('loomsidian');
  if (secrets !== undefined) {
    reporter.dropped('settings', SETTINGS);
    reporter.secrets(secrets);
  }
  dropRest(note, ['current', 'nodes', 'generating'], VIEW_STATE, reporter);
  const nodes = nodesOf(own(note, 'nodes'), reporter);
  const drafts = nodes.map(({ id, node }): Draft => {
    const content = text(node, 'text') ?? text(node, 'value');
    if (content === undefined) reporter.problem('A node has no text; it is empty.', id);
    const root = text(node, 'parentId') === undefined;
    if (!root)
      reporter.problem('The file does not say who wrote a node; all but the first are taken as a model’s.', id);
    return {
      id,
      content: content ?? '',
      kind: root ? 'human' : 'model',
      bookmark: flag(node, 'bookmarked') ? {} : undefined,
      extra: extraOf(node, KNOWN, SHOWN, reporter),
    };
  });
  const places = linkParents(
    drafts,
    nodes.map(({ node }) => text(node, 'parentId')),
    reporter,
  );
  const active = places.get(text(note, 'current') ?? '');
  const roots = drafts.flatMap(({ parent }, index) => (parent === undefined ? [index] : []));
  return assemble({ title, drafts, active, root: roots.length === 1 ? roots[0] : undefined }, reporter);
}

function titleOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.md$/i, '');
}
