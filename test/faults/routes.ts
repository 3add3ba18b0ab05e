import { dialogueRoutes } from '../../src/protocol/dialogue.ts';
import { exchangeRoutes } from '../../src/protocol/exchange.ts';
import { loomRoutes } from '../../src/protocol/loom.ts';
import { loomFileRoutes } from '../../src/protocol/loom-files.ts';
import { type Endpoint, endpoints, pagePaths, type RouteKey } from '../../src/protocol/routes.ts';
import { makeLoom } from '../support/servers/loom-samples.ts';
import { type Fault, must } from './fault.ts';
import { ask, mustRefuse, type Request } from './requests.ts';
import { humanControls, sampleBodies, sampleQueries } from './samples.ts';
import { type Server, withWorkspace } from './server.ts';

/** What the requests are about: all of it must be the same afterwards. */
interface House {
  readonly server: Server;
  readonly port: string;
  readonly agent: string;
  readonly revoked: string;
  readonly params: Readonly<Record<string, string>>;
}

/** Every address, asked by someone who must not be answered. */
export const routes: Fault = {
  name: 'routes',
  rules: '[I5] [I17] [T6]',
  slice: 1,
  full: 1,
  run: (_, say) =>
    withWorkspace(async (workspace) => {
      const house = await furnish(await workspace.serve());
      const before = await contentsOf(house);
      const refusals = [...strangers(house), ...callers(house), ...powers(house), ...bodies(house)];
      for (const { request, status, code, what } of refusals)
        await mustRefuse(house.server.url, request, status, code, what);
      say(`${refusals.length} requests refused`);
      const after = await contentsOf(house);
      must(after === before, `something was done for one who was refused: ${before} became ${after}`);
      const welcome = await mustAnswerOthers(house);
      return `${refusals.length} requests to ${endpoints.length} routes and ${pagePaths.length + 3} other addresses refused in one shape, nothing done; ${welcome} of the same without a fault answered`;
    }),
};

interface Refused {
  readonly request: Request;
  readonly status: number;
  readonly code: string;
  readonly what: string;
}

/** Wrong Host and wrong Origin, with a good credential: on every route, the page and what is not there. */
function strangers(house: House): Refused[] {
  const { port } = house;
  const hosts = ['evil.example', `evil.example:${port}`, '127.0.0.1:1', `127.0.0.1.evil.example:${port}`, '127.0.0.1'];
  const origins = ['http://evil.example', `https://evil.example:${port}`, 'http://127.0.0.1:1', 'null', 'file://'];
  const strange = [...hosts.map((host) => ({ host })), ...origins.map((origin) => ({ origin }))];
  const others = [...pagePaths, '/index.html', '/assets/main.js', '/nowhere'].map((path) => path.replace(':id', 'x'));
  const requests = [
    ...endpoints.map((endpoint) => good(house, endpoint)),
    ...others.flatMap((path) => ['GET', 'HEAD', 'OPTIONS'].map((method) => ({ method, path, headers: {} }))),
  ];
  return requests.flatMap((request) =>
    strange.map((headers) => ({
      request: { ...request, headers: { ...request.headers, ...headers } },
      status: 403,
      code: 'wrong_origin',
      what: JSON.stringify(headers),
    })),
  );
}

/** No credential, one nobody knows, and one that was good a moment ago. */
function callers(house: House): Refused[] {
  const cookie = `heddle_session_${house.port}`;
  const wrong: Record<string, Record<string, string>> = {
    'no token': {},
    'no bearer': { authorization: `Basic ${house.server.token}` },
    'an unknown token': { authorization: 'Bearer hdl_unknown' },
    'an unknown cookie': { cookie: `${cookie}=hdl_unknown` },
    'a revoked token': { authorization: `Bearer ${house.revoked}` },
    'a revoked cookie': { cookie: `${cookie}=${house.revoked}` },
    'the cookie of another port': { cookie: `heddle_session_1=${house.server.token}` },
  };
  return guarded().flatMap((endpoint) =>
    Object.entries(wrong).map(([what, headers]) => {
      const { authorization, ...others } = good(house, endpoint).headers;
      const request = { ...good(house, endpoint), headers: { ...others, ...headers } };
      return { request, status: 401, code: 'unauthenticated', what };
    }),
  );
}

/** An agent's token for what only a human may do. */
function powers(house: House): Refused[] {
  const refused = { status: 403, code: 'forbidden', what: "an agent's token" };
  const human = endpoints.filter((endpoint) => endpoint.access === 'human');
  const asAgent = (request: Request): Refused => ({
    ...refused,
    request: { ...request, headers: { ...request.headers, authorization: `Bearer ${house.agent}` } },
  });
  const controls = (['POST /api/threads/:thread/events', 'POST /api/threads/:thread/delivery'] as const).flatMap(
    (key) =>
      Object.values(humanControls).map((content) => ({ ...good(house, at(key)), body: { type: 'control', content } })),
  );
  return [...human.map((endpoint) => good(house, endpoint)), ...controls].map(asAgent);
}

/** A body that is not said to be JSON: what a form of another site could send. */
function bodies(house: House): Refused[] {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ];
  return endpoints
    .filter((endpoint) => endpoint.body)
    .flatMap((endpoint) =>
      types.map((type) => {
        const request = good(house, endpoint);
        const headers = { ...request.headers, 'content-type': type };
        return { request: { ...request, headers }, status: 400, code: 'malformed', what: type };
      }),
    );
}

/** The same requests by one who may: what was refused above was refused for its fault alone. */
async function mustAnswerOthers(house: House): Promise<number> {
  for (const endpoint of endpoints) {
    const { status, text } = await ask(house.server.url, good(house, endpoint));
    const expected = REFUSED[endpoint.key] ?? endpoint.status;
    const known = endpoint.body === undefined || endpoint.key in sampleBodies;
    must(known ? status === expected : ![401, 403].includes(status), `${endpoint.key} was answered ${status} ${text}`);
  }
  return endpoints.length;
}

/** What is refused though nothing is wrong with who asks: a code that is not known, what no mind has thought yet, a persona or a file that is not there, the small model's removal. */
const REFUSED: Partial<Record<RouteKey, number>> = {
  'GET /signin': 401,
  'POST /signin': 401,
  'GET /api/threads/:thread/iterations/:iter': 404,
  'GET /api/threads/:thread/provenance': 404,
  'GET /api/blobs/:blob': 404,
  'POST /api/personas/:persona': 404,
  'DELETE /api/personas/:persona': 404,
  'GET /api/explain': 404,
  'GET /api/bring': 404,
  'DELETE /api/models/:model': 409,
  'POST /api/looms/import': 422,
};

async function furnish(server: Server): Promise<House> {
  const client = server.client();
  const invite = [{ participant_id: 'alpha' }];
  const { thread } = await client.threads.create({ title: 'House', invite });
  const { event } = await client.thread(thread.id).post({ type: 'message', content: 'Hello' });
  const side = await client.thread(thread.id).command('side_open', { question: 'Which?', members: ['alpha'] });
  const { token: agent } = await client.credentials.issue({ participant: 'alpha' });
  const { credential: spare } = await client.credentials.issue({ participant: 'beta' });
  const gone = await client.credentials.issue({ participant: 'human', kind: 'human', new: true });
  await server.client(gone.token).me();
  await client.credentials.revoke(gone.credential.id);
  const { thread: talk } = await client.threads.create({ title: 'Talk', kind: 'dialogue' });
  const { thread: pool } = await client.threads.create({ title: 'Pool', kind: 'exchange' });
  const { thread: loom, nodes } = await makeLoom(client);
  const params = {
    thread: thread.id,
    talk: talk.id,
    pool: pool.id,
    loom,
    node: nodes.first,
    other: pool.id,
    side: side.thread.id,
    event: event.id,
    credential: spare.id,
    model: 'small',
  };
  return { server, port: new URL(server.url).port, agent, revoked: gone.token, params };
}

async function contentsOf({ server, params }: House): Promise<string> {
  const client = server.client();
  const [{ head }, { credentials }, { presence }] = await Promise.all([
    client.threads.list(),
    client.credentials.list(),
    client.thread(params.thread as string).presence(),
  ]);
  return JSON.stringify({ head, credentials: credentials.map(({ id }) => id), presence });
}

/** The request a human would make; a route that is new has an empty body until it is given one here. */
function good({ server, params }: House, { key, method, path, body, upload }: Endpoint): Request {
  const thread = threadFor(key);
  const filled = path.replace(/:(\w+)/g, (_, name: string) => String(params[name === 'thread' ? thread : name] ?? 'x'));
  return {
    method,
    path: sampleQueries[key] === undefined ? filled : `${filled}?${sampleQueries[key]}`,
    headers: {
      authorization: `Bearer ${server.token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(upload && { 'content-type': upload }),
    },
    ...(body && { body: sampleBodies[key] ?? {} }),
  };
}

/** Which of the threads an address is about. */
function threadFor(key: string): string {
  if (key.endsWith('/side_close')) return 'side';
  if (key in dialogueRoutes) return 'talk';
  if (key in exchangeRoutes) return 'pool';
  return key in loomRoutes || key in loomFileRoutes ? 'loom' : 'thread';
}

function guarded(): Endpoint[] {
  return endpoints.filter((endpoint) => endpoint.access !== 'open');
}

function at(key: RouteKey): Endpoint {
  return endpoints.find((endpoint) => endpoint.key === key) as Endpoint;
}
