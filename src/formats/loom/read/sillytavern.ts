import { assembleLoom } from '../assemble.ts';
import { dropField, OTHER_SETTINGS } from '../extra-fields.ts';
import {
  getField,
  getFlag,
  getList,
  getNumber,
  getObject,
  getText,
  getTrimmed,
  isObject,
  type JsonFields,
} from '../fields.ts';
import { type JsonValue, parseLooseJson } from '../json.ts';
import type { NodeDraft } from '../node-drafts.ts';
import { createImportReporter, type ImportReporter } from '../report.ts';
import { parseTime } from '../time.ts';
import type { ImportedLoom, LoomFile } from '../tree.ts';

/*
 * SillyTavern chats: a header line, then one message per line. Every swipe is
 * a branch. Several chats of one folder become one tree that shares their common
 * beginning. The text of a message is `name: message`.
 */

export function isSillyTavern(first: JsonValue): boolean {
  if (getField(first, 'chat_metadata') !== undefined || getField(first, 'user_name') !== undefined) return true;
  return getText(first, 'mes') !== undefined;
}

interface ChatTree {
  readonly drafts: NodeDraft[];
  /** By parent and message: the existing node, which a chat with the same message continues. */
  readonly indexByKey: Map<string, number>;
}

export function readSillyTavern(files: readonly LoomFile[], name: string): readonly ImportedLoom[] {
  const reporter = createImportReporter('sillytavern');
  const chatTree: ChatTree = { drafts: [], indexByKey: new Map() };
  let active: number | undefined;
  let title: string | undefined;
  for (const file of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const { tip, character } = readChat(file, chatTree, reporter);
    active = tip ?? active;
    title ??= character;
  }
  return [assembleLoom({ title: (files.length > 1 && title) || name, drafts: chatTree.drafts, active }, reporter)];
}

function readChat(file: LoomFile, chatTree: ChatTree, reporter: ImportReporter) {
  let parent: number | undefined;
  let character: string | undefined;
  let line = 0;
  for (const source of splitLines(file.content as string)) {
    line++;
    if (source.trim() === '') continue;
    const parsed = parseLooseJson(source);
    const message = 'problem' in parsed ? undefined : parsed.value;
    const where = `${file.name}, line ${line}`;
    if (!isObject(message)) reporter.noteProblem('A line is not a message; it was left out.', where);
    else if (
      getField(message, 'mes') === undefined &&
      (getField(message, 'chat_metadata') !== undefined || getField(message, 'user_name') !== undefined)
    ) {
      character = getTrimmed(message, 'character_name');
      dropField('chat_metadata', message, OTHER_SETTINGS, reporter);
    } else parent = addMessage(message, parent, chatTree, reporter, where);
  }
  return { tip: parent, character };
}

/** Adds the message and its swipes as siblings; returns the index of the shown one. */
function addMessage(
  message: JsonFields,
  parent: number | undefined,
  chatTree: ChatTree,
  reporter: ImportReporter,
  where: string,
): number {
  const shownText = getText(message, 'mes');
  if (shownText === undefined) reporter.noteProblem('A message has no text; it is empty.', where);
  const swipes = (getList(message, 'swipes') ?? []).filter((swipe) => typeof swipe === 'string');
  const swipeIndex = getNumber(message, 'swipe_id') ?? 0;
  const swipeInfos = getList(message, 'swipe_info');
  const texts = swipes.map((swipe, index) => ({
    said: index === swipeIndex && shownText !== undefined ? shownText : swipe,
    info: swipeInfos?.[index],
  }));
  if (texts.length === 0 || !(swipeIndex in texts)) texts.push({ said: shownText ?? '', info: undefined });
  let shownIndex: number | undefined;
  for (const { said: messageText, info } of texts) {
    const nodeIndex = findOrAddNode(message, messageText, info, parent, chatTree, reporter);
    if (messageText === (shownText ?? '')) shownIndex ??= nodeIndex;
  }
  return shownIndex as number;
}

function findOrAddNode(
  message: JsonFields,
  messageText: string,
  info: JsonValue | undefined,
  parent: number | undefined,
  { drafts, indexByKey }: ChatTree,
  reporter: ImportReporter,
): number {
  const isUser = getFlag(message, 'is_user');
  const author = getTrimmed(message, 'name') ?? (isUser ? 'user' : 'assistant');
  const key = JSON.stringify([parent ?? -1, isUser, author, messageText]);
  const extra = getObject(info, 'extra') ?? getObject(message, 'extra') ?? {};
  const existing = indexByKey.get(key);
  if (existing !== undefined) {
    const draft = drafts[existing] as NodeDraft;
    drafts[existing] = { ...draft, bookmark: draft.bookmark ?? checkpointOf(extra) };
    return existing;
  }
  for (const field of Object.keys(extra))
    if (field !== 'model' && field !== 'bookmark_link' && extra[field] !== null)
      dropField(`extra.${field}`, extra[field], 'Heddle has no such field', reporter);
  const nodeIndex = drafts.length;
  drafts.push({
    id: `message-${nodeIndex + 1}`,
    parent,
    content: `${author}: ${messageText}\n\n`,
    kind: isUser || getFlag(message, 'is_system') ? 'human' : 'model',
    author,
    model: getTrimmed(extra, 'model'),
    created: parseTime(getField(info, 'send_date') ?? getField(message, 'send_date')),
    tags: getFlag(message, 'is_system') ? ['hidden'] : undefined,
    bookmark: checkpointOf(extra),
  });
  indexByKey.set(key, nodeIndex);
  return nodeIndex;
}

function checkpointOf(extra: JsonFields): NodeDraft['bookmark'] {
  const label = getTrimmed(extra, 'bookmark_link');
  return label === undefined ? undefined : { label };
}

function* splitLines(content: string): Generator<string> {
  let from = 0;
  for (let end = content.indexOf('\n'); end >= 0; end = content.indexOf('\n', from)) {
    yield content.slice(from, end);
    from = end + 1;
  }
  yield content.slice(from);
}
