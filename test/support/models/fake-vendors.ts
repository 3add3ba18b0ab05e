import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/*
 * What the programs of three vendors need of a model: Anthropic's messages, OpenAI's responses and Gemini's contents,
 * streamed. One text for every request that is made; a request that is no question is answered with nothing much.
 */
export interface FakeVendors {
  readonly url: string;
  /** What was asked, as the text of each request. */
  readonly requests: readonly { readonly path: string; readonly body: string }[];
  answer(by: (body: string) => string | Promise<string>): void;
  close(): Promise<void>;
}

export async function startFakeVendors(): Promise<FakeVendors> {
  const requests: { path: string; body: string }[] = [];
  let by: (body: string) => string | Promise<string> = () => 'Nothing is scripted.';
  const server = createServer((incoming, response) => void serve(incoming, response).catch(() => response.destroy()));

  async function serve(incoming: IncomingMessage, response: ServerResponse) {
    const body = await textOf(incoming);
    const path = (incoming.url ?? '').split('?')[0] as string;
    requests.push({ path, body });
    if (incoming.method !== 'POST') return json(response, { data: [], models: [] });
    if (path.endsWith('/count_tokens')) return json(response, { input_tokens: 10 });
    if (path.endsWith('/messages')) return messages(response, JSON.parse(body).stream === true, await by(body));
    if (path.endsWith('/responses')) return responses(response, await by(body));
    if (path.includes(':streamGenerateContent')) return contents(response, true, await by(body));
    if (path.includes(':generateContent'))
      return contents(
        response,
        false,
        '{"complexity_score": 1, "model_choice": "flash", "complexity_reasoning": "", "reasoning": ""}',
      );
    if (path.includes(':countTokens')) return json(response, { totalTokens: 10 });
    json(response, {});
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (how) => {
      by = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function messages(response: ServerResponse, streamed: boolean, text: string) {
  const whole = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  if (!streamed) {
    const content = [{ type: 'text', text }];
    return json(response, { ...whole, content, stop_reason: 'end_turn', usage });
  }
  stream(response, [
    { type: 'message_start', message: { ...whole, content: [], stop_reason: null, usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function responses(response: ServerResponse, text: string) {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const item = { type: 'message', role: 'assistant', id: 'msg_1', status: 'completed', content };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  stream(response, [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
  ]);
}

function contents(response: ServerResponse, streamed: boolean, text: string) {
  const candidate = { content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 };
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
  const whole = { candidates: [candidate], usageMetadata, modelVersion: 'fake' };
  if (!streamed) return json(response, whole);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(whole)}\n\n`);
}

function stream(
  response: ServerResponse,
  events: readonly { readonly type: string; readonly [name: string]: unknown }[],
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function json(response: ServerResponse, value: unknown) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
