import { assembleLoom } from '../assemble.ts';
import { collectExtra, dropUnknown, OTHER_SETTINGS, VIEW_STATE } from '../extra-fields.ts';
import { getField, getFlag, getObject, getText, isObject, type JsonFields } from '../fields.ts';
import type { JsonValue } from '../json.ts';
import type { NodeDraft } from '../node-drafts.ts';
import { createImportReporter } from '../report.ts';
import { countSecrets } from '../secrets.ts';
import type { ImportedLoom } from '../tree.ts';
import { contentOf, linkNodes, readNodes } from './nodes.ts';

/*
 * The Obsidian plugin: `{settings, state}` with one loom per note, or the part of
 * one note, as its own export writes it. It does not record authors.
 */

const KNOWN_FIELDS = new Set(['id', 'text', 'value', 'parentId', 'bookmarked']);
const VIEW_FIELDS = new Set(['collapsed', 'unread', 'lastVisited', 'searchResultState']);

export function isLoomsidian(value: JsonValue): boolean {
  const state = getObject(value, 'state');
  if (state)
    return (
      Object.values(state).some(isNote) || (isObject(getField(value, 'settings')) && Object.keys(state).length === 0)
    );
  return isNote(value);
}

function isNote(value: JsonValue): boolean {
  if (getText(value, 'current') === undefined && getField(value, 'hoisted') === undefined) return false;
  return isObject(getField(value, 'nodes'));
}

export function readLoomsidian(value: JsonValue, name: string): readonly ImportedLoom[] {
  const state = getObject(value, 'state');
  if (state === undefined) return [readNote(value as JsonFields, name)];
  const secrets = countSecrets('settings', getField(value, 'settings'));
  const notes = Object.entries(state).filter(([, note]) => isObject(getField(note, 'nodes')));
  return notes.map(([path, note], index) =>
    readNote(note as JsonFields, titleOf(path), index === 0 ? secrets : undefined),
  );
}

/** `secrets` is the number of secrets in the settings, reported once. */
function readNote(note: JsonFields, title: string, secrets?: number): ImportedLoom {
  const reporter = createImportReporter('loomsidian');
  if (secrets !== undefined) {
    reporter.noteDropped('settings', OTHER_SETTINGS);
    reporter.noteSecrets(secrets);
  }
  dropUnknown(note, ['current', 'nodes', 'generating'], VIEW_STATE, reporter);
  const nodes = readNodes(getField(note, 'nodes'), reporter);
  const drafts = nodes.map(({ id, node }): NodeDraft => {
    const isRoot = getText(node, 'parentId') === undefined;
    if (!isRoot)
      reporter.noteProblem('The file does not say who wrote a node; all but the first are taken as a model’s.', id);
    return {
      id,
      content: contentOf(getText(node, 'text') ?? getText(node, 'value'), id, reporter),
      kind: isRoot ? 'human' : 'model',
      bookmark: getFlag(node, 'bookmarked') ? {} : undefined,
      extra: collectExtra(node, KNOWN_FIELDS, VIEW_FIELDS, reporter),
    };
  });
  const indexById = linkNodes(drafts, nodes, { parentField: 'parentId' }, reporter);
  const active = indexById.get(getText(note, 'current') ?? '');
  const roots = drafts.flatMap(({ parent }, index) => (parent === undefined ? [index] : []));
  return assembleLoom({ title, drafts, active, root: roots.length === 1 ? roots[0] : undefined }, reporter);
}

function titleOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.md$/i, '');
}
