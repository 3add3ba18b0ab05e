import { type Client, createClient } from '../../../src/client/index.ts';
import { type AgentLimits, DEFAULT_AGENT_LIMITS } from '../../../src/core/agent-limits.ts';
import type { ParticipantKind } from '../../../src/core/events/event.ts';
import { createModels } from '../../../src/engine/calls/models.ts';
import { createEngine } from '../../../src/engine/engine.ts';
import { createSecrets } from '../../../src/engine/secrets.ts';
import type { EventLog } from '../../../src/log/event-log.ts';
import { openMemoryLog } from '../../../src/log/memory/memory-log.ts';
import { createRegistry, type Registry } from '../../../src/models/registry/registry.ts';
import { type AppOptions, createApp } from '../../../src/server/app.ts';
import { createCredentials, type IssuedToken } from '../../../src/server/auth/credentials.ts';

export interface TestServerOptions
  extends Pick<AppOptions, 'limits' | 'elapsed' | 'page' | 'allowedHosts' | 'mcp' | 'secureCookies' | 'publicAddress'> {
  readonly log?: EventLog;
  readonly now?: () => number;
  readonly registry?: Registry;
  readonly agentLimits?: Partial<AgentLimits>;
}

/** A whole server in this process, on a log in memory, with a human "ada" and an agent "alpha". */
export async function openTestServer({
  log = openMemoryLog(),
  now,
  registry = createRegistry(),
  agentLimits,
  ...options
}: TestServerOptions = {}) {
  const secrets = createSecrets(registry.keys);
  const models = createModels({ log, registry, secrets, ...(now && { now }) });
  const engine = await createEngine({
    log,
    secrets,
    runners: registry.runners,
    ...(now && { now }),
    ...(agentLimits && { agentLimits: () => ({ ...DEFAULT_AGENT_LIMITS, ...agentLimits }) }),
  });
  const credentials = createCredentials({ log, clock: engine.clock });
  const reported: string[] = [];
  const report = (text: string) => reported.push(text);
  const app = createApp({ engine, models, credentials, version: 'test', ...options, report });
  const human = await tokenFor('ada', 'human');
  const agent = await tokenFor('alpha', 'agent');

  async function tokenFor(participant: string, kind: ParticipantKind): Promise<string> {
    return ((await credentials.issue(participant, kind)) as IssuedToken).token;
  }

  return {
    app,
    engine,
    models,
    credentials,
    /** What the server said went wrong. */
    reported,
    human,
    agent,
    tokenFor,
    client: (token: string = human): Client => createClient({ url: 'http://localhost', token, fetch: app.fetch }),
    /** A request as anyone may write it; `body` becomes JSON unless it is text already. */
    send(method: string, path: string, { token = human, body, headers }: Sent = {}): Promise<Response> {
      return app.request(path, {
        method,
        headers: {
          ...(token !== '' && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
    async close() {
      app.close();
      credentials.close();
      await engine.close();
      await models.close();
      await log.close();
    },
  };
}

/** The body of an answer, for tests that know what to expect of it. */
export async function bodyOf<T>(response: Response | Promise<Response>): Promise<T> {
  return (await (await response).json()) as T;
}

interface Sent {
  /** The human's unless given; empty for none. */
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** The status of a refused request, and what the answer says of it. */
export async function readRefusal(
  response: Response,
): Promise<{ status: number; code: string; message: string; path?: string }> {
  const { error } = await bodyOf<{ error: { code: string; message: string; path?: string } }>(response);
  return { status: response.status, ...error };
}
