import { assemble } from '../assemble.ts';
import { drop, SETTINGS } from '../extra-fields.ts';
import { type Fields, flag, isObject, list, number, object, own, text, words } from '../fields.ts';
import { readJson, type Value } from '../json.ts';
import type { Draft } from '../node-drafts.ts';
import { createReporter, type Reporter } from '../report.ts';
import { timeOf } from '../time.ts';
import type { Imported, LoomFile } from '../tree.ts';

/*
 * SillyTavern chats: a header line, then a message a line. Every swipe is a
 * branch. Several chats of one folder become one tree, together as far as they
 * say the same. A message is written into the text as `name: message`.
 */

export function isSillyTavern(first: Value): boolean {
  if (own(first, 'chat_metadata') !== undefined || own(first, 'user_name') !== undefined) return true;
  return text(first, 'mes') !== undefined;
}

interface Trie {
  readonly drafts: Draft[];
  /** By parent and message: where a chat that says the same goes on. */
  readonly places: Map<string, number>;
}

export function readSillyTavern(files: readonly LoomFile[], name: string): readonly Imported[] {
  const reporter = createReporter('sillytavern');
  const trie: Trie = { drafts: [], places: new Map() };
  let active: number | undefined;
  let title: string | undefined;
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { tip, character } = readChat(file, trie, reporter);
    active = tip ?? active;
    title ??= character;
  }
  return [assemble({ title: (files.length > 1 && title) || name, drafts: trie.drafts, active }, reporter)];
}

function readChat(file: LoomFile, trie: Trie, reporter: Reporter) {
  let parent: number | undefined;
  let character: string | undefined;
  let line = 0;
  for (const source of linesIn(file.content as string)) {
    line++;
    if (source.trim() === '') continue;
    const read = readJson(source);
    const message = 'problem' in read ? undefined : read.value;
    const where = `${file.name}, line ${line}`;
    if (!isObject(message)) reporter.problem('A line is not a message; it was left out.', where);
    else if (
      own(message, 'mes') === undefined &&
      (own(message, 'chat_metadata') !== undefined || own(message, 'user_name') !== undefined)
    ) {
      character = words(message, 'character_name');
      drop('chat_metadata', message, SETTINGS, reporter);
    } else parent = add(message, parent, trie, reporter, where);
  }
  return { tip: parent, character };
}

/** The message and its swipes beside each other; gives the place of the one that was shown. */
function add(message: Fields, parent: number | undefined, trie: Trie, reporter: Reporter, where: string): number {
  const shown = text(message, 'mes');
  if (shown === undefined) reporter.problem('A message has no text; it is empty.', where);
  const swipes = (list(message, 'swipes') ?? []).filter((swipe) => typeof swipe === 'string');
  const chosen = number(message, 'swipe_id') ?? 0;
  const infos = list(message, 'swipe_info');
  const texts = swipes.map((swipe, index) => ({
    said: index === chosen && shown !== undefined ? shown : swipe,
    info: infos?.[index],
  }));
  if (texts.length === 0 || !(chosen in texts)) texts.push({ said: shown ?? '', info: undefined });
  let place: number | undefined;
  for (const { said, info } of texts) {
    const at = find(message, said, info, parent, trie, reporter);
    if (said === (shown ?? '')) place ??= at;
  }
  return place as number;
}

function find(
  message: Fields,
  said: string,
  info: Value | undefined,
  parent: number | undefined,
  { drafts, places }: Trie,
  reporter: Reporter,
): number {
  const user = flag(message, 'is_user');
  const author = words(message, 'name') ?? (user ? 'user' : 'assistant');
  const key = JSON.stringify([parent ?? -1, user, author, said]);
  const extra = object(info, 'extra') ?? object(message, 'extra') ?? {};
  const known = places.get(key);
  if (known !== undefined) {
    const draft = drafts[known] as Draft;
    drafts[known] = { ...draft, bookmark: draft.bookmark ?? checkpointOf(extra) };
    return known;
  }
  for (const field of Object.keys(extra))
    if (field !== 'model' && field !== 'bookmark_link' && extra[field] !== null)
      drop(`extra.${field}`, extra[field], 'a loom here has no such field', reporter);
  const place = drafts.length;
  drafts.push({
    id: `message-${place + 1}`,
    parent,
    content: `${author}: ${said}\n\n`,
    kind: user || flag(message, 'is_system') ? 'human' : 'model',
    author,
    model: words(extra, 'model'),
    created: timeOf(own(info, 'send_date') ?? own(message, 'send_date')),
    tags: flag(message, 'is_system') ? ['hidden'] : undefined,
    bookmark: checkpointOf(extra),
  });
  places.set(key, place);
  return place;
}

function checkpointOf(extra: Fields): Draft['bookmark'] {
  const label = words(extra, 'bookmark_link');
  return label === undefined ? undefined : { label };
}

function* linesIn(content: string): Generator<string> {
  let from = 0;
  for (let end = content.indexOf('\n'); end >= 0; end = content.indexOf('\n', from)) {
    yield content.slice(from, end);
    from = end + 1;
  }
  yield content.slice(from);
}
