import { type Answer, ask, type Request } from '../faults/requests.ts';
import type { House } from './house.ts';
import { shorten } from './report.ts';

/** Who sends requests with a token of its own. Every answer it gets is looked at. */
export interface Caller {
  readonly id: string;
  readonly token: string;
  readonly credential: string;
  /** Undefined where no answer came. */
  send(request: Sent): Promise<Answer | undefined>;
  post(path: string, body: unknown, more?: Partial<Sent>): Promise<Answer | undefined>;
  get(path: string): Promise<Answer | undefined>;
}

export interface Sent extends Partial<Omit<Request, 'path'>> {
  readonly path: string;
  /** What findings call the address, where it has ids in it. */
  readonly route?: string;
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

export function createCaller(
  house: House,
  { id, token, credential }: Pick<Caller, 'id' | 'token' | 'credential'>,
  tactic: string,
): Caller {
  async function send({ path, method = 'GET', headers = {}, route, patienceMs = PATIENCE_MS, ...rest }: Sent) {
    const server = await house.server();
    const request: Request = {
      method,
      path,
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: AbortSignal.timeout(patienceMs),
      ...rest,
    };
    const answer = await ask(server.url, request).catch(() => undefined);
    if (answer) inspect(house, answer, `${method} ${route ?? patternOf(path)}`, request, tactic);
    return answer;
  }

  return {
    id,
    token,
    credential,
    send,
    post: (path, body, more) =>
      send({
        method: 'POST',
        path,
        text: JSON.stringify(body),
        ...more,
        headers: { 'content-type': 'application/json', ...more?.headers },
      }),
    get: (path) => send({ path }),
  };
}

/** No fault of the server's own, and nobody's secret. */
export function inspect(house: House, { status, text }: Answer, where: string, sent: object, tactic?: string): void {
  const example = () => `${shorten({ ...sent, signal: undefined, headers: undefined }, 400)} → ${shorten(text, 200)}`;
  if (isFault(status, text)) house.report.add(`${where} was answered ${status}`, example(), tactic);
  else if (text.includes('"code":"internal"')) house.report.add(`${where} failed on the way`, example(), tactic);
  for (const [name, secret] of house.secrets) {
    if (text.includes(secret)) house.report.add(`${where} tells ${name}`, example(), tactic);
  }
}

/** A model that is away is the provider's fault, which the rig provokes on purpose. */
function isFault(status: number, text: string): boolean {
  return status >= 500 && !(status === 503 && text.includes('model_unavailable'));
}

/** An address without the ids in it, so that alike findings are one. */
function patternOf(path: string): string {
  return (path.split('?')[0] as string)
    .split('/')
    .map((part) => (/^[a-z_.-]{1,20}$/.test(part) ? part : part === '' ? '' : ':id'))
    .join('/');
}

export function jsonOf<T>(answer: Answer | undefined): T | undefined {
  try {
    return answer && (JSON.parse(answer.text) as T);
  } catch {
    return undefined;
  }
}

export function isDone(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}
