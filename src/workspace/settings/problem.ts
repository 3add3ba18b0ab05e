import type { z } from 'zod';
import { type ClientEntry, newNameSchema } from '../../models/registry/schema.ts';
import { describeIssue } from './issue-sentence.ts';
import { settingsSchema } from './settings.ts';

/** Describes the problem with a model's entry for heddle.yaml; undefined if it is valid. */
export function modelProblem(name: string, entry: object): string | undefined {
  return entryProblem('models', name, entry);
}

/** The same for a command-line agent. */
export function clientProblem(name: string, entry: ClientEntry): string | undefined {
  return entryProblem('clients', name, entry);
}

function entryProblem(section: 'models' | 'clients', name: string, entry: object): string | undefined {
  const nameCheck = newNameSchema.safeParse(name);
  if (!nameCheck.success)
    return withPeriod(nameCheck.error.issues[0]?.message ?? '').replace(/^\w/, (letter) => letter.toUpperCase());
  const input = { [section]: { [name]: entry } };
  const parsed = settingsSchema.safeParse(input);
  if (parsed.success) return undefined;
  const { sentence } = describeIssue(parsed.error.issues[0] as z.core.$ZodIssue, settingsSchema, input);
  return withPeriod(sentence.replaceAll(`${section}.${name}.`, ''));
}

function withPeriod(sentence: string): string {
  return sentence.replace(/([^.?])$/, '$1.');
}
