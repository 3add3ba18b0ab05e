import { existsSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { type Document, isMap, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { ClientEntry, Limit, ModelEntry, Role } from '../models/registry-schema.ts';
import { unusable } from './directory.ts';
import { settingsFile } from './settings.ts';
import { parseYaml, textOf } from './yaml-file.ts';
import { sentenceOf } from './yaml-sentence.ts';

/*
 * Changes to heddle.yaml by the program: whatever else stands in it, comments too, stays. Nothing is written that could
 * not be read again.
 */

export interface NewModel {
  readonly name: string;
  readonly entry: ModelEntry;
  readonly defaultFor: readonly Role[];
}

/** What is wrong with a model that someone wants to add; undefined when nothing is. */
export function problemWith({ name, entry }: Pick<NewModel, 'name' | 'entry'>): string | undefined {
  return problemIn('models', name, entry);
}

/** The same for a command-line agent. */
export function problemWithClient(name: string, entry: ClientEntry): string | undefined {
  return problemIn('clients', name, entry);
}

function problemIn(part: 'models' | 'clients', name: string, entry: object): string | undefined {
  const input = { [part]: { [name]: entry } };
  const parsed = settingsFile.safeParse(input);
  if (parsed.success) return undefined;
  const { sentence } = sentenceOf(parsed.error.issues[0] as z.core.$ZodIssue, settingsFile, input);
  return `${sentence.replaceAll(`${part}.${name}.`, '').replace(/([^.?])$/, '$1.')}`;
}

export function addModel(path: string, { name, entry, defaultFor }: NewModel): void {
  edit(path, (document) => {
    put(document, ['models', name], entry);
    for (const role of defaultFor) document.setIn(['defaults', role], name);
  });
}

export function addClient(path: string, name: string, entry: ClientEntry): void {
  edit(path, (document) => put(document, ['clients', name], entry));
}

/** The whole budget of the workspace; one without limits is none. */
export function setWorkspaceBudget(path: string, limit: Limit): void {
  edit(path, (document) => {
    if (Object.keys(limit).length > 0) return put(document, ['budgets', 'workspace'], limit);
    const budgets = document.get('budgets');
    if (!isMap(budgets)) return;
    budgets.delete('workspace');
    if (budgets.items.length === 0) document.delete('budgets');
  });
}

function edit(path: string, change: (document: Document) => void): void {
  const text = textOf(path);
  parseYaml(path, text, settingsFile);
  const document = parseDocument(text);
  const isBare = !isMap(document.contents);
  const changing = isBare ? parseDocument('{}') : document;
  change(changing);
  if (isBare && isMap(changing.contents)) changing.contents.flow = false;
  // A file of nothing but comments: they stay on top.
  const above = isBare && text.trim() !== '' ? `${text.trimEnd()}\n\n` : '';
  write(path, above + changing.toString({ lineWidth: 0, flowCollectionPadding: false }));
}

function put(document: Document, keys: readonly string[], value: object): void {
  const node = document.createNode(value, { flow: true });
  for (let i = 1; i < keys.length; i++) {
    const parent = keys.slice(0, i);
    if (!isMap(document.getIn(parent))) document.setIn(parent, document.createNode({}));
  }
  document.setIn(keys, node);
}

function write(path: string, text: string): void {
  parseYaml(path, text, settingsFile);
  const place = existsSync(path) ? realpathSync(path) : path;
  const draft = `${place}.${process.pid}`;
  try {
    const mode = existsSync(place) ? statSync(place).mode & 0o777 : 0o600;
    writeFileSync(draft, text, { mode });
    renameSync(draft, place);
  } catch (error) {
    throw unusable(path, error);
  }
}
