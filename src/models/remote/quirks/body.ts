import type { ChatMessage } from '../../model.ts';
import type { LimitName, Quirks } from './quirks.ts';

/** A request body as sent to the server. */
export type WireBody = Readonly<Record<string, unknown>>;

const WIRE_NAMES: Readonly<Record<string, readonly string[]>> = {
  logprobs: ['logprobs', 'top_logprobs'],
  max_tokens: ['max_tokens', 'max_completion_tokens'],
  stop: ['stop', 'stop_sequences'],
  stream: ['stream', 'stream_options'],
};
/** Added to the requested limit: models think at length, and only used tokens are paid for. */
const THINKING_TOKENS = 8192;

/** Adapts the request to what this server accepts. */
export function fitBody(body: WireBody, { without = [], most = {}, limit, thinks }: Quirks, context: number): WireBody {
  const names = without.flatMap((field) => WIRE_NAMES[field] ?? [field]);
  const result: Record<string, unknown> = { ...body };
  const limitName = limitNameOf(body);
  if (limitName) {
    const thinkingTokens = thinks ? Math.min(THINKING_TOKENS, context >> 1) : 0;
    const value = Math.min((body[limitName] as number) + thinkingTokens, most.max_tokens ?? Number.POSITIVE_INFINITY);
    delete result[limitName];
    result[limit ?? limitName] = value;
  }
  for (const field of ['logprobs', 'top_logprobs']) {
    const value = result[field];
    if (typeof value === 'number' && most.logprobs) result[field] = Math.min(value, most.logprobs);
  }
  for (const name of names) delete result[name];
  if (without.includes('stream')) result.stream = false;
  if (without.includes('system') && Array.isArray(result.messages))
    result.messages = mergeSystemMessages(result.messages);
  if (without.includes('images') && Array.isArray(result.messages))
    result.messages = result.messages.map(withoutImages);
  return result;
}

function limitNameOf(body: WireBody): LimitName | undefined {
  return (['max_tokens', 'max_completion_tokens'] as const).find((name) => typeof body[name] === 'number');
}

/** For templates without a system role, or with strictly alternating roles. */
function mergeSystemMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const { role, content, images = [] } of messages) {
    const wireRole = role === 'system' ? 'user' : role;
    const previous = turns.at(-1);
    const isSameTurn = previous?.role === wireRole;
    const allImages = [...((isSameTurn && previous.images) || []), ...images];
    const turn = {
      role: wireRole,
      content: isSameTurn ? `${previous.content}\n\n${content}` : content,
      ...(allImages.length > 0 && { images: allImages }),
    };
    if (isSameTurn) turns[turns.length - 1] = turn;
    else turns.push(turn);
  }
  return turns;
}

/** The text says that images follow, so it has to be taken back. */
function withoutImages({ images = [], ...message }: ChatMessage): ChatMessage {
  if (images.length === 0) return message;
  const labels = images.map(({ label }) => label).join(', ');
  return { ...message, content: `${message.content}\n\n[not shown to this model after all: ${labels}]` };
}
