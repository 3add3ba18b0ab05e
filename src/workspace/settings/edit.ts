import { type Document, isMap, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { type Refusal, refuse } from '../../core/refusal.ts';
import { own } from '../../core/util/get-own.ts';
import { type ClientEntry, type Limit, type ModelEntry, type Role, roles } from '../../models/registry/schema.ts';
import { unknownModel } from '../../models/registry/unknown-model.ts';
import { editFile } from '../file-edit.ts';
import { problemWith } from './problem.ts';
import { personalSettings, type Settings, settingsIn } from './settings.ts';

/*
 * Changes to heddle.yaml by the program: whatever else stands in it, comments too, stays. Nothing is written that could
 * not be read again.
 */

export interface NewModel {
  readonly name: string;
  readonly entry: ModelEntry;
  readonly defaultFor: readonly Role[];
}

export function addModel(path: string, { name, entry, defaultFor }: NewModel): Refusal | undefined {
  return edit(path, (document, { models }) => {
    const problem = problemWith(name, entry);
    if (problem) return refuse('malformed', `${problem} Nothing was written.`);
    if (Object.hasOwn(models, name))
      return refuse('conflict', `There is a model "${name}" already. Choose another name, or change that one.`);
    put(document, ['models', name], entry);
    for (const role of defaultFor) document.setIn(['defaults', role], name);
    return undefined;
  });
}

/** Sets fields of a model; null takes one out. */
export function changeModel(path: string, name: string, set: Readonly<Record<string, unknown>>): Refusal | undefined {
  return edit(path, (document, settings) => {
    if (!settings.written.includes(name)) return notWritten(name, settings);
    const whole = Object.entries({ ...own(settings.models, name), ...set }).filter(([, value]) => value !== null);
    const problem = problemWith(name, Object.fromEntries(whole));
    if (problem) return refuse('malformed', `${problem} Nothing was written.`);
    for (const [field, value] of Object.entries(set)) {
      const keys = ['models', name, field];
      if (value === null) document.deleteIn(keys);
      else if (typeof value === 'object') put(document, keys, value as object);
      else document.setIn(keys, value);
    }
    return undefined;
  });
}

/** Gives what was taken out, so that it can be put back. */
export function removeModel(path: string, name: string): { readonly entry: ModelEntry } | Refusal {
  let removed: ModelEntry | undefined;
  const refused = edit(path, (document, settings) => {
    if (!settings.written.includes(name)) return notWritten(name, settings);
    const usedFor = roles.filter((role) => settings.defaults[role] === name);
    if (usedFor.length > 0)
      return refuse(
        'conflict',
        `"${name}" is what is used for ${usedFor.join(', ')}. Choose another model for that, then remove this one.`,
      );
    removed = own(settings.models, name);
    takeOut(document.get('models') as YAMLMap<Scalar>, name);
    return undefined;
  });
  return refused ?? { entry: removed as ModelEntry };
}

/** Which models are used where none is named. */
export function setDefaults(path: string, defaults: Settings['defaults']): Refusal | undefined {
  return edit(path, (document, { models }) => {
    for (const role of roles) {
      const name = defaults[role];
      if (name === undefined) continue;
      if (!Object.hasOwn(models, name)) return unknownModel(name, Object.keys(models));
      document.setIn(['defaults', role], name);
    }
    return undefined;
  });
}

export function addClient(path: string, name: string, entry: ClientEntry): void {
  edit(path, (document) => put(document, ['clients', name], entry));
}

/** The whole budget of the workspace; one without limits is none. */
export function setWorkspaceBudget(path: string, limit: Limit): Refusal | undefined {
  return edit(path, (document) => {
    if (Object.keys(limit).length > 0) return put(document, ['budgets', 'workspace'], limit);
    const budgets = document.get('budgets');
    if (!isMap(budgets)) return undefined;
    budgets.delete('workspace');
    if (budgets.items.length === 0) document.delete('budgets');
    return undefined;
  });
}

function notWritten(name: string, { models }: Settings): Refusal {
  if (!Object.hasOwn(models, name)) return unknownModel(name, Object.keys(models));
  if (name === 'small') return refuse('conflict', '"small" comes with Heddle and is always there.');
  return refuse(
    'conflict',
    `"${name}" stands in ${personalSettings()}, for all your workspaces: change it there, or take it out.`,
  );
}

function edit(
  path: string,
  change: (document: Document, settings: Settings) => Refusal | undefined,
): Refusal | undefined {
  let refused: Refusal | undefined;
  editFile(path, (text) => {
    const settings = settingsIn(path, text);
    const document = parseDocument(text);
    const isBare = !isMap(document.contents);
    const changing = isBare ? parseDocument('{}') : document;
    refused = change(changing, settings);
    if (refused) return undefined;
    if (isBare && isMap(changing.contents)) changing.contents.flow = false;
    // A file of nothing but comments: they stay on top.
    const above = isBare && text.trim() !== '' ? `${text.trimEnd()}\n\n` : '';
    const next = above + changing.toString({ lineWidth: 0, flowCollectionPadding: false });
    settingsIn(path, next);
    return next;
  });
  return refused;
}

function put(document: Document, keys: readonly string[], value: object): undefined {
  const node = document.createNode(value, { flow: true });
  for (let i = 1; i < keys.length; i++) {
    const parent = keys.slice(0, i);
    if (!isMap(document.getIn(parent))) document.setIn(parent, document.createNode({}));
    const map = document.getIn(parent) as YAMLMap;
    if (map.items.length === 0) map.flow = false;
  }
  document.setIn(keys, node);
}

/** What was said above it stays above what comes next. */
function takeOut(map: YAMLMap<Scalar>, name: string): void {
  const at = map.items.findIndex(({ key }) => key.value === name);
  const [taken] = map.items.splice(at, 1);
  const said = taken?.key.commentBefore;
  if (!said) return;
  const next = map.items[at];
  const place: { commentBefore?: string | null; comment?: string | null } = next ? next.key : map;
  const field = next ? 'commentBefore' : 'comment';
  place[field] = place[field] ? `${said}\n${place[field]}` : said;
}
