import type { Chat, Completion } from '../../model.ts';

/** Stands for the token that ends a turn; taken out of what people write. */
export const TURN_END = '\u0003';

const MARKS = /<\|(\w+)\|>/g;

/** A conversation as TinyLlama was taught to read it. Its marks, where they are somebody's words, are broken up (M9). */
export function asTurns({ messages, ...rest }: Chat): Completion {
  const told = messages.map(({ role, content }) => {
    const words = content.replaceAll(TURN_END, '').replaceAll(MARKS, '<| $1 |>');
    return `<|${role}|>\n${words}${TURN_END}\n`;
  });
  return { ...rest, prompt: `${told.join('')}<|assistant|>\n` };
}
