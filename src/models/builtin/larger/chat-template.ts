import type { Chat, Completion } from '../../model.ts';

/** Represents the token that ends a turn; removed from text that people write. */
export const TURN_END = '\u0003';

const ROLE_MARKS = /<\|(\w+)\|>/g;

/** A conversation in TinyLlama's chat format. Format markers inside message text are broken up (M9). */
export function applyChatTemplate({ messages, ...rest }: Chat): Completion {
  const turns = messages.map(({ role, content }) => {
    const text = content.replaceAll(TURN_END, '').replaceAll(ROLE_MARKS, '<| $1 |>');
    return `<|${role}|>\n${text}${TURN_END}\n`;
  });
  return { ...rest, prompt: `${turns.join('')}<|assistant|>\n` };
}
