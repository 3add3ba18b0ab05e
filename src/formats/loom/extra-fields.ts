import type { Json } from '../../core/events/event.ts';
import { type Fields, isObject, list, number, object, own, text, words } from './fields.ts';
import type { Value } from './json.ts';
import type { Reporter } from './report.ts';
import { countSecrets, keepable } from './secrets.ts';
import { timeOf } from './time.ts';
import type { TokenLogprob, TreeNode } from './tree.ts';

/** The one key our exporters add to a node, for what the format has no place for. */
export const OURS = 'heddle';

export const VIEW_STATE = 'how it was shown there; it is not part of the text';
export const SETTINGS = 'settings of the other program';

/** Of one node: what is kept has to fit into one event with it. */
const MOST_EXTRA = 32_768;

type Extra = Readonly<Record<string, Json>>;

/** Keys of a node that no importer knows: kept where they are small and harmless. */
export function extraOf(node: Fields, known: ReadonlySet<string>, shown: ReadonlySet<string>, reporter: Reporter) {
  let extra: Record<string, Json> | undefined;
  let size = 0;
  for (const key of Object.keys(node)) {
    if (known.has(key) || key === OURS) continue;
    const value = node[key];
    if (value === undefined || value === null) continue;
    if (shown.has(key)) {
      reporter.dropped(key, VIEW_STATE);
      continue;
    }
    const kept = keepable(key, value);
    if (kept !== undefined) size += key.length + JSON.stringify(kept).length;
    if (kept !== undefined && size < MOST_EXTRA) {
      extra ??= {};
      extra[key] = kept;
    } else drop(key, value, 'too large, too deep or a secret', reporter);
  }
  return extra as Extra | undefined;
}

/** Everything beside the tree. */
export function dropRest(top: Fields, known: readonly string[], why: string, reporter: Reporter) {
  for (const key of Object.keys(top)) {
    const value = top[key];
    if (known.includes(key) || value === null || isEmpty(value)) continue;
    drop(key, value, why, reporter);
  }
}

export function drop(field: string, value: Value | undefined, why: string, reporter: Reporter) {
  reporter.dropped(field, why);
  reporter.secrets(countSecrets(field, value));
}

type Ours = { -readonly [K in Exclude<keyof TreeNode, 'id' | 'parent' | 'content'>]?: TreeNode[K] };

/** What one of our exporters put beside a node, read as warily as all else. */
export function oursOf(node: Value, unknown: Extra | undefined): Ours {
  const ours = object(node, OURS);
  if (ours === undefined) return unknown ? { extra: unknown } : {};
  const found: { [K in keyof Ours]: Ours[K] | undefined } = {
    author: words(ours, 'author'),
    created: timeOf(own(ours, 'created')),
    model: words(ours, 'model'),
    note: text(ours, 'note'),
    rating: number(ours, 'rating'),
    editedFrom: text(ours, 'editedFrom'),
    sources: list(ours, 'sources')?.filter((id) => typeof id === 'string'),
    pruned: own(ours, 'pruned') === true || undefined,
    tags: list(ours, 'tags')?.filter((tag) => typeof tag === 'string'),
    bookmark: bookmarkOf(own(ours, 'bookmark')),
    logprobs: logprobsOf(list(ours, 'logprobs')),
    extra: unknown ?? keptExtra(object(ours, 'extra')),
  };
  const kind = own(ours, 'kind');
  if (kind === 'human' || kind === 'model') found.kind = kind;
  for (const key of Object.keys(found) as (keyof Ours)[]) if (found[key] === undefined) delete found[key];
  return found as Ours;
}

/** The versions that were shown at their places, by their ids, as one of our exporters wrote them. */
export function chosenIn(top: Value): readonly string[] {
  const selections = object(object(top, OURS), 'versionSelections');
  return Object.values(selections ?? {}).filter((id) => typeof id === 'string');
}

function keptExtra(extra: Fields | undefined): Extra | undefined {
  const kept = extra && keepable('extra', extra);
  return kept && Object.keys(kept).length > 0 ? (kept as Extra) : undefined;
}

function bookmarkOf(value: Value | undefined): TreeNode['bookmark'] {
  if (!isObject(value)) return undefined;
  const label = words(value, 'label');
  return label === undefined ? {} : { label };
}

export function logprobsOf(tokens: readonly Value[] | undefined): readonly TokenLogprob[] | undefined {
  if (tokens === undefined) return undefined;
  const found = tokens.flatMap((token): TokenLogprob[] => {
    const word = text(token, 'token');
    if (word === undefined) return [];
    const logprob = number(token, 'logprob');
    const top = list(token, 'top')?.flatMap((other) => {
      const [name, value] = [text(other, 'token'), number(other, 'logprob')];
      return name === undefined || value === undefined ? [] : [{ token: cleanToken(name), logprob: value }];
    });
    return [
      { token: cleanToken(word), ...(logprob !== undefined && { logprob }), ...(top && top.length > 0 && { top }) },
    ];
  });
  return found.length > 0 ? found : undefined;
}

/** A token may be half a character. */
export function cleanToken(token: string): string {
  return token.toWellFormed().replaceAll('\0', '\ufffd');
}

function isEmpty(value: Value | undefined): boolean {
  if (value === '' || value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
