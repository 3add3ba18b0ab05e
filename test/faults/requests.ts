import { request as send } from 'node:http';
import { errorBody as errorShape } from '../../src/protocol/wire.ts';
import { must } from './fault.ts';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A body as it is, in place of one that becomes JSON. */
  readonly text?: string;
  /** Read an answer that is a stream to its end: it has one. */
  readonly toEnd?: boolean;
  /** Aborted: nobody waits for the answer any longer. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Empty for a stream: it has no end. */
  readonly text: string;
}

/** Sends exactly these headers, Host included, which `fetch` would not. */
export function ask(url: string, { method, path, headers, body, text: raw, toEnd, signal }: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = send(url + path, { method, headers, ...(signal && { signal }) }, (response) => {
      const { statusCode: status = 0, headers: said } = response;
      const done = (text: string) => resolve({ status, headers: said, text });
      if (!toEnd && said['content-type']?.startsWith('text/event-stream')) {
        asking.destroy();
        return done('');
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => done(text));
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(raw ?? (body && JSON.stringify(body)));
  });
}

/** The right status, the one shape of errors, and nothing that helps a stranger. */
export async function mustRefuse(url: string, request: Request, status: number, code: string, what: string) {
  const answer = await ask(url, request);
  const { method, path } = request;
  const where = `${method} ${path} with ${what} was answered ${answer.status} ${answer.text.slice(0, 500)}`;
  must(answer.status === status, `${where}, not ${status}`);
  const strays = Object.keys(answer.headers).filter((name) => /^(access-control-|set-cookie)/.test(name));
  must(strays.length === 0, `${where} with ${strays}`);
  if (method === 'HEAD') return;
  must(/^application\/json/.test(String(answer.headers['content-type'])), `${where}, which is not JSON`);
  const said = errorShape.safeParse(JSON.parse(answer.text));
  must(said.success && said.data.error.code === code, `${where}, not as ${code}`);
  must(/\.$/.test(said.data.error.message), `${where}, which is no sentence`);
  must(!answer.text.includes('hdl_'), `${where}, which tells a token`);
}
