import type { Chat, ChatMessage, Completion } from '../../model.ts';

/*
 * The small model was never trained to answer or to follow instructions, and 256 tokens fill up fast. But it has read
 * many stories in which someone answers. So a conversation becomes such a story: who said what last, each message
 * shortened to its last few sentences, and then a line of speech to complete, whose closing quotation mark ends the
 * answer. System instructions would only make it write stories about instructions, so they are left out, like all
 * older messages. The omitted text is reported, so that it can be counted as dropped.
 */
export interface StoryPrompt {
  readonly request: Completion;
  readonly unread: string;
}

const SCENE_LINE = 'Tim and Anna were talking.';
const ANSWER_START = 'Anna said, "';
const QUOTE = '"';
const SPEAKERS = { user: 'Tim', assistant: 'Anna', system: 'Tim' };
/** The number of turns included, and the words kept of the last turn and of the others. */
const MAX_TURNS = 3;
const MAX_LAST_WORDS = 50;
const MAX_EARLIER_WORDS = 20;
/** Words can be long, and some scripts have no spaces between them. */
const LETTERS_PER_WORD = 7;

export function asStory({ messages, stop = [], ...rest }: Chat): StoryPrompt {
  const spokenMessages = messages.filter(({ role }) => role !== 'system');
  const recentMessages = (spokenMessages.length > 0 ? spokenMessages : messages).slice(-MAX_TURNS);
  const turns = recentMessages.map((message, i) =>
    shorten(message, i === recentMessages.length - 1 ? MAX_LAST_WORDS : MAX_EARLIER_WORDS),
  );
  const omittedTexts = messages.filter((message) => !recentMessages.includes(message)).map(({ content }) => content);
  const lines = turns.map(({ role, text }) => `${SPEAKERS[role]} said, "${text}"`);
  const unread = [...omittedTexts, ...turns.map(({ removed }) => removed)].join('').toWellFormed();
  // A frame supplies its own continuation.
  const ending = rest.frame ? [''] : [ANSWER_START];
  const request = { truncate: 'left', ...rest, prompt: [SCENE_LINE, ...lines, ...ending].join('\n') } as const;
  return { request: rest.frame ? request : { ...request, stop: [QUOTE, ...stop] }, unread };
}

interface ShortenedMessage {
  readonly role: ChatMessage['role'];
  readonly text: string;
  readonly removed: string;
}

/** The last words of a message on one line, from the start of a sentence if there is one. */
function shorten({ role, content }: ChatMessage, maxWords: number): ShortenedMessage {
  const line = content
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/["“”„«»]/gu, "'")
    .trim();
  const words = line.split(' ').slice(-maxWords).join(' ');
  const shortLine = [...words].slice(-maxWords * LETTERS_PER_WORD).join('');
  if (shortLine.length === line.length) return { role, text: line, removed: '' };
  const sentence = /[.!?:]'? (?=\p{L})/u.exec(shortLine);
  const start = sentence && sentence.index < shortLine.length / 2 ? sentence.index + sentence[0].length : 0;
  const text = shortLine.slice(start);
  return { role, text, removed: line.slice(0, line.length - text.length) };
}
