import type { WireFormat } from '../../../src/models/scripted/format.ts';

/** What is said, as Anthropic's messages write it. */
export const messages: WireFormat = {
  contentType: 'text/event-stream',
  begin: () =>
    event({
      type: 'message_start',
      message: { id: 'msg_fake', role: 'assistant', content: [], usage: { input_tokens: 1, output_tokens: 0 } },
    }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  piece: (_, { text }) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  finish: (_, reason) =>
    event({ type: 'content_block_stop', index: 0 }) +
    event({
      type: 'message_delta',
      delta: { stop_reason: reason === 'length' ? 'max_tokens' : 'end_turn' },
      usage: {},
    }),
  end: ({ prompt, generated }) =>
    event({ type: 'message_delta', delta: {}, usage: { input_tokens: prompt, output_tokens: generated } }) +
    event({ type: 'message_stop' }),
  broken: () => 'event: content_block_delta\ndata: {"type": \n\n',
  error: (message, type) => JSON.stringify({ type: 'error', error: { type, message } }),
};

function event(data: { readonly type: string; readonly [name: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}
