import type { Json } from '../../core/events/event.ts';
import { getField, getList, getNumber, getObject, getText, getTrimmed, isObject, type JsonFields } from './fields.ts';
import type { JsonValue } from './json.ts';
import type { NodeDraft } from './node-drafts.ts';
import type { ImportReporter } from './report.ts';
import { countSecrets, keepableValue } from './secrets.ts';
import { parseTime } from './time.ts';
import type { TokenLogprob, TreeNode } from './tree.ts';

/** The one key our exporters add to a node, for data that the format cannot hold. */
export const HEDDLE_KEY = 'heddle';

export const VIEW_STATE = 'display data of the other program';
export const OTHER_SETTINGS = 'settings of the other program';

/** The limit per node: the extra fields must fit into one event together with the node. */
const MAX_EXTRA_CHARS = 32_768;

type ExtraFields = Readonly<Record<string, Json>>;

/** Collects keys of a node that the importer does not know, if they are small and harmless. */
export function collectExtra(
  node: JsonFields,
  knownFields: ReadonlySet<string>,
  viewFields: ReadonlySet<string>,
  reporter: ImportReporter,
) {
  let extra: Record<string, Json> | undefined;
  let size = 0;
  for (const key of Object.keys(node)) {
    if (knownFields.has(key) || key === HEDDLE_KEY) continue;
    const value = node[key];
    if (value === undefined || value === null) continue;
    if (viewFields.has(key)) {
      reporter.noteDropped(key, VIEW_STATE);
      continue;
    }
    const keptValue = keepableValue(key, value);
    if (keptValue !== undefined) size += key.length + JSON.stringify(keptValue).length;
    if (keptValue !== undefined && size < MAX_EXTRA_CHARS) {
      extra ??= {};
      extra[key] = keptValue;
    } else dropField(key, value, 'too large, too deep or a secret', reporter);
  }
  return extra as ExtraFields | undefined;
}

/** Reports unknown fields outside the tree as dropped. */
export function dropUnknown(top: JsonFields, knownFields: readonly string[], why: string, reporter: ImportReporter) {
  for (const key of Object.keys(top)) {
    const value = top[key];
    if (knownFields.includes(key) || value === null || isEmpty(value)) continue;
    dropField(key, value, why, reporter);
  }
}

export function dropField(field: string, value: JsonValue | undefined, why: string, reporter: ImportReporter) {
  reporter.noteDropped(field, why);
  reporter.noteSecrets(countSecrets(field, value));
}

type HeddleFields = {
  -readonly [K in Exclude<keyof NodeDraft, 'id' | 'parent' | 'content' | 'editedFrom' | 'rank'>]?: NonNullable<
    NodeDraft[K]
  >;
};

/** Reads the fields that our exporters add to a node, without trusting them. */
export function readHeddleFields(node: JsonValue, unknownFields: ExtraFields | undefined): HeddleFields {
  const heddle = getObject(node, HEDDLE_KEY);
  if (heddle === undefined) return unknownFields ? { extra: unknownFields } : {};
  const fields: { [K in keyof HeddleFields]: HeddleFields[K] | undefined } = {
    author: getTrimmed(heddle, 'author'),
    created: parseTime(getField(heddle, 'created')),
    model: getTrimmed(heddle, 'model'),
    note: getText(heddle, 'note'),
    rating: getNumber(heddle, 'rating'),
    editedFromId: getText(heddle, 'editedFrom'),
    sources: getList(heddle, 'sources')?.filter((id) => typeof id === 'string'),
    pruned: getField(heddle, 'pruned') === true || undefined,
    tags: getList(heddle, 'tags')?.filter((tag) => typeof tag === 'string'),
    bookmark: parseBookmark(getField(heddle, 'bookmark')),
    logprobs: parseLogprobs(getList(heddle, 'logprobs')),
    extra: unknownFields ?? keepExtra(getObject(heddle, 'extra')),
  };
  const kind = getField(heddle, 'kind');
  if (kind === 'human' || kind === 'model') fields.kind = kind;
  for (const key of Object.keys(fields) as (keyof HeddleFields)[]) if (fields[key] === undefined) delete fields[key];
  return fields as HeddleFields;
}

/** The ids of the versions shown at their places, as our exporters write them. */
export function chosenVersionIds(top: JsonValue): readonly string[] {
  const selections = getObject(getObject(top, HEDDLE_KEY), 'versionSelections');
  return Object.values(selections ?? {}).filter((id) => typeof id === 'string');
}

function keepExtra(extra: JsonFields | undefined): ExtraFields | undefined {
  const keptValue = extra && keepableValue('extra', extra);
  return keptValue && Object.keys(keptValue).length > 0 ? (keptValue as ExtraFields) : undefined;
}

function parseBookmark(value: JsonValue | undefined): TreeNode['bookmark'] {
  if (!isObject(value)) return undefined;
  const label = getTrimmed(value, 'label');
  return label === undefined ? {} : { label };
}

export function parseLogprobs(tokens: readonly JsonValue[] | undefined): readonly TokenLogprob[] | undefined {
  if (tokens === undefined) return undefined;
  const logprobs = tokens.flatMap((token): TokenLogprob[] => {
    const tokenText = getText(token, 'token');
    if (tokenText === undefined) return [];
    const logprob = getNumber(token, 'logprob');
    const top = getList(token, 'top')?.flatMap((other) => {
      const [name, value] = [getText(other, 'token'), getNumber(other, 'logprob')];
      return name === undefined || value === undefined ? [] : [{ token: cleanToken(name), logprob: value }];
    });
    return [
      {
        token: cleanToken(tokenText),
        ...(logprob !== undefined && { logprob }),
        ...(top && top.length > 0 && { top }),
      },
    ];
  });
  return logprobs.length > 0 ? logprobs : undefined;
}

/** Cleans a token, which may be half a character. */
export function cleanToken(token: string): string {
  return token.toWellFormed().replaceAll('\0', '\ufffd');
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === '' || value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
