import { type Document, isMap, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { getOwn } from '../../core/util/get-own.ts';
import {
  type ClientEntry,
  type ModelEntry,
  type ModelRole,
  modelRoles,
  type SpendingLimit,
} from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import { editFile } from '../file-edit.ts';
import { personalSettingsPath } from './personal-path.ts';
import { modelProblem } from './problem.ts';
import { parseSettings, type WorkspaceSettings } from './settings.ts';

/*
 * Edits heddle.yaml and keeps everything else in it, including comments. Never writes a file that could not be read
 * again.
 */

export interface NewModel {
  readonly name: string;
  readonly entry: ModelEntry;
  readonly defaultFor: readonly ModelRole[];
}

export function addModel(path: string, { name, entry, defaultFor }: NewModel): Refusal | undefined {
  return editSettings(path, (document, { models }) => {
    const problem = modelProblem(name, entry);
    if (problem) return refuse('malformed', `${problem} Nothing was written.`);
    if (Object.hasOwn(models, name))
      return refuse('conflict', `There is already a model "${name}". Choose another name, or change that one.`);
    setNode(document, ['models', name], entry);
    for (const role of defaultFor) document.setIn(['defaults', role], name);
    return undefined;
  });
}

/** Sets fields of a model; null removes a field. */
export function changeModel(
  path: string,
  name: string,
  changes: Readonly<Record<string, unknown>>,
): Refusal | undefined {
  return editSettings(path, (document, settings) => {
    if (!settings.written.includes(name)) return notEditable(name, settings);
    const merged = Object.entries({ ...getOwn(settings.models, name), ...changes }).filter(
      ([, value]) => value !== null,
    );
    const problem = modelProblem(name, Object.fromEntries(merged));
    if (problem) return refuse('malformed', `${problem} Nothing was written.`);
    for (const [field, value] of Object.entries(changes)) {
      const keys = ['models', name, field];
      if (value === null) document.deleteIn(keys);
      else if (typeof value === 'object') setNode(document, keys, value as object);
      else document.setIn(keys, value);
    }
    return undefined;
  });
}

/** Returns the removed entry, so that it can be restored. */
export function removeModel(path: string, name: string): { readonly entry: ModelEntry } | Refusal {
  let removed: ModelEntry | undefined;
  const refusal = editSettings(path, (document, settings) => {
    if (!settings.written.includes(name)) return notEditable(name, settings);
    const usedFor = modelRoles.filter((role) => settings.defaults[role] === name);
    if (usedFor.length > 0)
      return refuse(
        'conflict',
        `"${name}" is the default for ${usedFor.join(', ')}. Choose another default, then remove this model.`,
      );
    removed = getOwn(settings.models, name);
    removeEntry(document.get('models') as YAMLMap<Scalar>, name);
    return undefined;
  });
  return refusal ?? { entry: removed as ModelEntry };
}

export function setDefaults(path: string, defaults: WorkspaceSettings['defaults']): Refusal | undefined {
  return editSettings(path, (document, { models }) => {
    for (const role of modelRoles) {
      const name = defaults[role];
      if (name === undefined) continue;
      if (!Object.hasOwn(models, name)) return unknownModel(name, Object.keys(models));
      document.setIn(['defaults', role], name);
    }
    return undefined;
  });
}

export function addClient(path: string, name: string, entry: ClientEntry): void {
  editSettings(path, (document) => setNode(document, ['clients', name], entry));
}

/** Replaces the workspace's budget; one without limits removes it. */
export function setWorkspaceBudget(path: string, limit: SpendingLimit): Refusal | undefined {
  return editSettings(path, (document) => {
    if (Object.keys(limit).length > 0) return setNode(document, ['budgets', 'workspace'], limit);
    const budgets = document.get('budgets');
    if (!isMap(budgets)) return undefined;
    budgets.delete('workspace');
    if (budgets.items.length === 0) document.delete('budgets');
    return undefined;
  });
}

export function setCurrency(path: string, code: string): Refusal | undefined {
  return editSettings(path, (document) => {
    document.set('currency', code);
    return undefined;
  });
}

function notEditable(name: string, { models }: WorkspaceSettings): Refusal {
  if (!Object.hasOwn(models, name)) return unknownModel(name, Object.keys(models));
  if (name === 'small') return refuse('conflict', '"small" is built into Heddle and cannot be changed or removed.');
  return refuse(
    'conflict',
    `"${name}" is in ${personalSettingsPath()}, for all your workspaces: change or remove it there.`,
  );
}

function editSettings(
  path: string,
  editDocument: (document: Document, settings: WorkspaceSettings) => Refusal | undefined,
): Refusal | undefined {
  let refusal: Refusal | undefined;
  editFile(path, (text) => {
    const settings = parseSettings(path, text);
    const document = parseDocument(text);
    const isEmptyFile = !isMap(document.contents);
    const editedDocument = isEmptyFile ? parseDocument('{}') : document;
    refusal = editDocument(editedDocument, settings);
    if (refusal) return undefined;
    if (isEmptyFile && isMap(editedDocument.contents)) editedDocument.contents.flow = false;
    // The file holds only comments: keep them at the top.
    const comments = isEmptyFile && text.trim() !== '' ? `${text.trimEnd()}\n\n` : '';
    const newText = comments + editedDocument.toString({ lineWidth: 0, flowCollectionPadding: false });
    parseSettings(path, newText);
    return newText;
  });
  return refusal;
}

function setNode(document: Document, keys: readonly string[], value: object): undefined {
  const node = document.createNode(value, { flow: true });
  for (let i = 1; i < keys.length; i++) {
    const parent = keys.slice(0, i);
    if (!isMap(document.getIn(parent))) document.setIn(parent, document.createNode({}));
    const map = document.getIn(parent) as YAMLMap;
    if (map.items.length === 0) map.flow = false;
  }
  document.setIn(keys, node);
}

/** Moves the comment above a removed entry to the next one. */
function removeEntry(map: YAMLMap<Scalar>, name: string): void {
  const index = map.items.findIndex(({ key }) => key.value === name);
  const [removedPair] = map.items.splice(index, 1);
  const comment = removedPair?.key.commentBefore;
  if (!comment) return;
  const nextPair = map.items[index];
  const target: { commentBefore?: string | null; comment?: string | null } = nextPair ? nextPair.key : map;
  const field = nextPair ? 'commentBefore' : 'comment';
  target[field] = target[field] ? `${comment}\n${target[field]}` : comment;
}
