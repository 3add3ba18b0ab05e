import type { z } from 'zod';
import { type ClientEntry, newName } from '../../models/registry/schema.ts';
import { sentenceOf } from './issue-sentence.ts';
import { settingsFile } from './settings.ts';

/** What is wrong with a model that someone wants in heddle.yaml; undefined when nothing is. */
export function problemWith(name: string, entry: object): string | undefined {
  return problemIn('models', name, entry);
}

/** The same for a command-line agent. */
export function problemWithClient(name: string, entry: ClientEntry): string | undefined {
  return problemIn('clients', name, entry);
}

function problemIn(part: 'models' | 'clients', name: string, entry: object): string | undefined {
  const named = newName.safeParse(name);
  if (!named.success)
    return ended(named.error.issues[0]?.message ?? '').replace(/^\w/, (letter) => letter.toUpperCase());
  const input = { [part]: { [name]: entry } };
  const parsed = settingsFile.safeParse(input);
  if (parsed.success) return undefined;
  const { sentence } = sentenceOf(parsed.error.issues[0] as z.core.$ZodIssue, settingsFile, input);
  return ended(sentence.replaceAll(`${part}.${name}.`, ''));
}

function ended(sentence: string): string {
  return sentence.replace(/([^.?])$/, '$1.');
}
