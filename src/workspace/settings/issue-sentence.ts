import { z } from 'zod';
import { closestName } from '../../core/text/nearest.ts';
import { looksLikeKey } from '../../models/registry/schema.ts';

type YamlIssue = z.core.$ZodIssue;
type KeyPath = readonly PropertyKey[];

/**
 * Describes an error in a settings file in the terms its author used, with the keys. Values that may be secret are not
 * repeated.
 */
export function describeIssue(
  issue: YamlIssue,
  schema: z.ZodType,
  input: unknown,
): { keys: KeyPath; sentence: string } {
  const name = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] as string;
    const knownNames = namesIn(schemaAt(schema, issue.path, input));
    const sentence = `"${name === '' ? key : `${name}.${key}`}" is not a setting${suggestionFor(key, knownNames)}`;
    return { keys: [...issue.path, key], sentence };
  }
  return { keys: issue.path, sentence: name === '' ? wrongShape(issue) : valueSentence(issue, name, schema, input) };
}

function wrongShape(issue: YamlIssue): string {
  return issue.code === 'custom' ? issue.message : 'it must be a list of "name: value" lines';
}

function valueSentence(issue: YamlIssue, name: string, schema: z.ZodType, input: unknown): string {
  const value = valueAt(input, issue.path);
  const choices = choicesOf(issue, schema, input);
  if (choices) {
    if (value === undefined || value === null) return `"${name}" is missing: set it to ${joinChoices(choices)}`;
    return `"${name}" is not valid: ${displayValue(value)} is not ${joinChoices(choices)}${suggestionFor(String(value), choices)}`;
  }
  if (issue.code === 'invalid_type' && (value === undefined || value === null))
    return `"${name}" is missing; it must be ${typeName(issue.expected)}`;
  if (issue.code === 'invalid_type') return `"${name}" must be ${typeName(issue.expected)}`;
  if (issue.code === 'custom') return `"${name}" ${issue.message}`;
  if (issue.code === 'too_small') return `"${name}" is too small: ${bound(issue.inclusive, issue.minimum, 'least')}`;
  if (issue.code === 'too_big') return `"${name}" is too large: ${bound(issue.inclusive, issue.maximum, 'most')}`;
  return `"${name}" is not valid: ${issue.message}`;
}

function bound(inclusive: boolean | undefined, limit: unknown, word: string): string {
  return inclusive === false ? `it must be ${word === 'least' ? 'more' : 'less'} than ${limit}` : `at ${word} ${limit}`;
}

function choicesOf(issue: YamlIssue, schema: z.ZodType, input: unknown): readonly string[] | undefined {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  if (issue.code !== 'invalid_union' || !('discriminator' in issue)) return undefined;
  const union = schemaAt(schema, issue.path.slice(0, -1), input);
  if (!(union instanceof z.ZodDiscriminatedUnion)) return undefined;
  return (union.options as z.ZodObject[]).flatMap(({ shape }) => literalsOf(shape[String(issue.discriminator)]));
}

function literalsOf(schema: unknown): readonly string[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function schemaAt(schema: unknown, keys: KeyPath, input: unknown): unknown {
  const innerSchema = unwrapSchema(schema, input);
  if (keys.length === 0) return innerSchema;
  const [key, ...rest] = keys as [PropertyKey, ...PropertyKey[]];
  const nextInput = valueAt(input, [key]);
  if (innerSchema instanceof z.ZodObject) return schemaAt(innerSchema.shape[String(key)], rest, nextInput);
  if (innerSchema instanceof z.ZodRecord) return schemaAt(innerSchema.valueType, rest, nextInput);
  if (innerSchema instanceof z.ZodDiscriminatedUnion && rest.length === 0) return innerSchema;
  return undefined;
}

function unwrapSchema(schema: unknown, input: unknown): unknown {
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const key = schema.def.discriminator;
    const options = schema.options as z.ZodObject[];
    return options.find(({ shape }) => literalsOf(shape[key]).includes(String(valueAt(input, [key])))) ?? schema;
  }
  const { innerType, out } = (schema as { def?: { innerType?: unknown; out?: unknown } } | undefined)?.def ?? {};
  const inner = innerType ?? out;
  return inner === undefined ? schema : unwrapSchema(inner, input);
}

function namesIn(schema: unknown): readonly string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function valueAt(input: unknown, keys: KeyPath): unknown {
  let value = input;
  for (const key of keys) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
  return value;
}

function suggestionFor(word: string, names: readonly string[]): string {
  const name = closestName(word, names);
  if (name !== undefined) return `. Did you mean "${name}"?`;
  return '';
}

function displayValue(value: unknown): string {
  const text = String(value);
  if (looksLikeKey(text)) return 'this value';
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

function joinChoices(words: readonly string[]): string {
  const quotedWords = words.map((word) => `"${word}"`);
  return quotedWords.length < 2
    ? (quotedWords[0] ?? 'nothing')
    : `${quotedWords.slice(0, -1).join(', ')} or ${quotedWords.at(-1)}`;
}

function typeName(expected: string): string {
  const nouns: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    object: 'a list of "name: value" lines',
    record: 'a list of "name: value" lines',
    array: 'a list',
    boolean: 'true or false',
  };
  return nouns[expected] ?? expected;
}
