import type { Chat, ChatMessage, Completion } from '../../model.ts';

/*
 * The small model was never taught to answer or to obey, and 256 tokens are soon full. But it has read many stories in
 * which someone answers. So a conversation is put to it as such a story: who said what last, each shortened to its last
 * few sentences, and then a line of speech for it to fill, whose closing quotation mark ends the answer. Instructions of
 * the system would only make it write stories about instructions: they are left out, like all that is older. What is
 * left out is told, so that it can be counted as dropped.
 */
export interface Told {
  readonly request: Completion;
  readonly unread: string;
}

const SCENE = 'Tim and Anna were talking.';
const ANSWER = 'Anna said, "';
const QUOTE = '"';
const SPEAKERS = { user: 'Tim', assistant: 'Anna', system: 'Tim' };
/** Turns of talk that are told, and how many words of the last of them and of the others. */
const TURNS = 3;
const LAST_WORDS = 50;
const EARLIER_WORDS = 20;
/** Words can be long, and some scripts have no spaces between them. */
const LETTERS_A_WORD = 7;

export function asStory({ messages, stop = [], ...rest }: Chat): Told {
  const talk = messages.filter(({ role }) => role !== 'system');
  const told = (talk.length > 0 ? talk : messages).slice(-TURNS);
  const turns = told.map((message, i) => shorten(message, i === told.length - 1 ? LAST_WORDS : EARLIER_WORDS));
  const left = messages.filter((message) => !told.includes(message)).map(({ content }) => content);
  const lines = turns.map(({ role, kept }) => `${SPEAKERS[role]} said, "${kept}"`);
  const unread = [...left, ...turns.map(({ cut }) => cut)].join('').toWellFormed();
  // A frame brings its own way of going on.
  const end = rest.frame ? [''] : [ANSWER];
  const request = { truncate: 'left', ...rest, prompt: [SCENE, ...lines, ...end].join('\n') } as const;
  return { request: rest.frame ? request : { ...request, stop: [QUOTE, ...stop] }, unread };
}

interface Shortened {
  readonly role: ChatMessage['role'];
  readonly kept: string;
  readonly cut: string;
}

/** The last words of a message in one line, from the beginning of a sentence where there is one. */
function shorten({ role, content }: ChatMessage, most: number): Shortened {
  const line = content
    .toWellFormed()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/["“”„«»]/gu, "'")
    .trim();
  const words = line.split(' ').slice(-most).join(' ');
  const short = [...words].slice(-most * LETTERS_A_WORD).join('');
  if (short.length === line.length) return { role, kept: line, cut: '' };
  const sentence = /[.!?:]'? (?=\p{L})/u.exec(short);
  const from = sentence && sentence.index < short.length / 2 ? sentence.index + sentence[0].length : 0;
  const kept = short.slice(from);
  return { role, kept, cut: line.slice(0, line.length - kept.length) };
}
