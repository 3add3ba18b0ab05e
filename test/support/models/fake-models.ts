import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { openAiChatFormat, openAiCompletionsFormat } from '../../../src/models/scripted/format.ts';
import { playAnswer } from '../../../src/models/scripted/play.ts';
import { parseAnswer, type ScriptedAnswerInput } from '../../../src/models/scripted/script.ts';
import { splitTokens } from '../../../src/models/scripted/tokens.ts';
import { messages } from './fake-models-anthropic.ts';
import { playRecording } from './fake-models-recordings.ts';
import { selfSigned } from './self-signed.ts';

/*
 * A server of models over a real socket: OpenAI's completions and chat, and Anthropic's messages. It says what it is told
 * to say, in the words of scripted models (docs/guide/scripted-models.md) or from a recording, one step for each request.
 */
export interface FakeModels {
  /** The base URL of an Anthropic client. */
  readonly url: string;
  /** The base URL of an OpenAI-compatible client. */
  readonly openAiUrl: string;
  readonly requests: readonly FakeRequest[];
  /** What it says it has, where it is asked for that (`GET …/models`, which is not among the requests). */
  readonly offers: string[];
  /** What to answer to the next requests, one step each; one with `repeat: 'always'` stays. */
  script(...steps: readonly FakeStep[]): void;
  /** What to answer when no step is left. */
  answer(by: (request: FakeRequest) => FakeStep): void;
  close(): Promise<void>;
}

export interface FakeRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: FakeBody;
}

export interface FakeBody {
  readonly model?: string;
  readonly prompt?: string;
  readonly suffix?: string;
  readonly system?: string;
  readonly messages?: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly n?: number;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stop?: readonly string[];
  readonly logprobs?: number | boolean;
  readonly [name: string]: unknown;
}

export type FakeStep =
  | (ScriptedAnswerInput & { readonly gate?: Gate })
  | { readonly recording: string }
  /** An answer no honest server gives, byte by byte. */
  | { readonly write: (response: ServerResponse) => Promise<void> }
  | FakeWire;

/** Bytes as they are, however wrong: a body, or the events of a stream, which may be cut off instead of ended. */
export interface FakeWire {
  readonly wire: Iterable<string>;
  readonly type: 'application/json' | 'text/event-stream';
  readonly cut?: true;
}

/** Holds a stream after so many tokens until it is opened. */
export interface Gate {
  readonly after: number;
  /** The stream stands at the gate. */
  readonly reached: Promise<void>;
  open(): void;
  pass(): Promise<void>;
}

export function createGate(after: number): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const pass = () => {
    reached.resolve();
    return opened.promise;
  };
  return { after, reached: reached.promise, open: opened.resolve, pass };
}

export async function startFakeModels({ tls = false } = {}): Promise<FakeModels> {
  const steps: FakeStep[] = [];
  const requests: FakeRequest[] = [];
  const sockets = new Set<Socket>();
  const offers: string[] = [];
  let otherwise: (request: FakeRequest) => FakeStep = () => ({
    fault: 'server_error',
    message: 'Nothing is scripted.',
  });

  const listen = async (incoming: IncomingMessage, response: ServerResponse) => {
    if (incoming.method === 'GET') return listModels(incoming, response, offers);
    const body = JSON.parse((await textOf(incoming)) || '{}') as FakeBody;
    const request = { path: incoming.url ?? '', headers: incoming.headers, body };
    requests.push(request);
    const step = steps[0] ?? otherwise(request);
    if (!('repeat' in step && step.repeat === 'always')) steps.shift();
    await play(step, request, response).catch(() => response.destroy());
  };
  const server = tls ? createTlsServer(selfSigned(), listen) : createServer(listen);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    openAiUrl: `${url}/v1`,
    requests,
    offers,
    script: (...more) => void steps.push(...more),
    answer: (by) => {
      otherwise = by;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listModels({ url = '' }: IncomingMessage, response: ServerResponse, offers: readonly string[]): void {
  const isList = /\/models(\?|$)/.test(url) && offers.length > 0;
  response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isList ? { object: 'list', data: offers.map((id) => ({ id })) } : {}));
}

async function play(step: FakeStep, { path, headers, body }: FakeRequest, response: ServerResponse): Promise<void> {
  if ('write' in step) return step.write(response);
  if ('recording' in step) return playRecording(step.recording, headers, response);
  if ('wire' in step) return playWire(step, response);
  const { gate, ...answer } = step;
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const prompt = body.prompt ?? body.messages?.map(({ content }) => content).join(' ') ?? '';
  const wire = playAnswer(parseAnswer(answer), {
    format: path.endsWith('/messages')
      ? messages
      : path.endsWith('/chat/completions')
        ? openAiChatFormat
        : openAiCompletionsFormat,
    limits: { n: body.n ?? 1, maxTokens: body.max_tokens ?? body.max_completion_tokens, stop: body.stop ?? [] },
    promptTokens: splitTokens(prompt).length,
    signal: leaving.signal,
    ...(gate && { gate: (sentCount) => (sentCount === gate.after ? gate.pass() : undefined) }),
  });
  response.writeHead(wire.status, { ...wire.headers, 'x-request-id': 'fake', 'set-cookie': 'session=hidden' });
  response.flushHeaders();
  for await (const piece of wire.body) {
    if (!(await handOver(piece, response))) return;
  }
  response.end();
}

async function playWire({ wire, type, cut }: FakeWire, response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': type });
  response.on('error', () => {});
  for (const piece of wire) {
    if (!(await handOver(piece, response))) return;
  }
  if (cut) response.destroy();
  else response.end();
}

/** Resolves before anything else happens: a connection that is then cut has delivered the piece. False if it is gone. */
async function handOver(piece: string | Uint8Array, response: ServerResponse): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => response.write(piece, resolve));
  return !error && !response.destroyed;
}
