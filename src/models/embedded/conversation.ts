import type { Chat, ChatMessage, Completion } from '../model.ts';

/*
 * The small model was never taught to answer, but it has read many stories in which someone does. A conversation is put
 * to it as such a story, its next line is the answer, and the closing quotation mark is the end of it. When the whole
 * does not fit, the oldest part is dropped, and `done` says how much.
 */
export function asCompletion({ messages, stop = [], ...rest }: Chat): Completion {
  const prompt = [...messages.map(told), `${SPEAKERS.assistant} said, "`].join('\n');
  return { truncate: 'left', ...rest, prompt, stop: [QUOTE, ...stop] };
}

const QUOTE = '"';
const SPEAKERS = { user: 'Tim', assistant: 'Anna' };

function told({ role, content }: ChatMessage): string {
  if (role === 'system') return content;
  return `${SPEAKERS[role]} said, "${content.replaceAll(QUOTE, "'")}"`;
}
