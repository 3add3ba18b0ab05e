import type { ChatMessage } from '../../model.ts';
import type { LimitName, Quirks } from './quirks.ts';

/** A request as it goes over the wire. */
export type Body = Readonly<Record<string, unknown>>;

const WIRE_NAMES: Readonly<Record<string, readonly string[]>> = {
  logprobs: ['logprobs', 'top_logprobs'],
  max_tokens: ['max_tokens', 'max_completion_tokens'],
  stop: ['stop', 'stop_sequences'],
  stream: ['stream', 'stream_options'],
};
/** Beside what was asked for: models think at length, and only what is used is paid for. */
const ROOM_TO_THINK = 8192;

/** The request as this server takes it. */
export function fitBody(body: Body, { without = [], most = {}, limit, thinks }: Quirks, context: number): Body {
  const names = without.flatMap((field) => WIRE_NAMES[field] ?? [field]);
  const fitted: Record<string, unknown> = { ...body };
  const written = limitOf(body);
  if (written) {
    const room = thinks ? Math.min(ROOM_TO_THINK, context >> 1) : 0;
    const value = Math.min((body[written] as number) + room, most.max_tokens ?? Number.POSITIVE_INFINITY);
    delete fitted[written];
    fitted[limit ?? written] = value;
  }
  for (const field of ['logprobs', 'top_logprobs']) {
    const value = fitted[field];
    if (typeof value === 'number' && most.logprobs) fitted[field] = Math.min(value, most.logprobs);
  }
  for (const name of names) delete fitted[name];
  if (without.includes('stream')) fitted.stream = false;
  if (without.includes('system') && Array.isArray(fitted.messages)) fitted.messages = withoutSystem(fitted.messages);
  return fitted;
}

function limitOf(body: Body): LimitName | undefined {
  return (['max_tokens', 'max_completion_tokens'] as const).find((name) => typeof body[name] === 'number');
}

/** For templates that know no system role, or want the roles to take turns. */
function withoutSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const plain = role === 'system' ? 'user' : role;
    const before = turns.at(-1);
    if (before?.role === plain) turns[turns.length - 1] = { role: plain, content: `${before.content}\n\n${content}` };
    else turns.push({ role: plain, content });
  }
  return turns;
}
