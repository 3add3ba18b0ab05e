import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/client/index.ts';
import type { Profile } from '../../src/core/threads/schema.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts';
import type { Server, Workspace } from '../faults/server.ts';
import type { FakeModels, FakeRequest, FakeStep } from '../support/models/fake-models.ts';
import { makeLoom } from '../support/servers/loom-samples.ts';
import { type Caller, createCaller, inspect } from './caller.ts';
import { clientsFor, PROGRAMS } from './programs.ts';
import type { Report } from './report.ts';

/** The honest ones. Neither is ever run by the server. */
export const HUMAN = 'human';
export const BEE = 'bee';
/** An agent that a human has set up: served by the hostile provider's model. */
export const SCOUT = 'scout';
const SCRATCH = 'nobody but me has read this yet';
/** What the human gave to whom; nobody else may have any of these fields, or others. */
export const GIVEN: Readonly<Record<string, Profile>> = {
  [SCOUT]: { kind: 'agent', client: 'model', model: 'evil' },
  ...Object.fromEntries(PROGRAMS.map((name) => [name, { kind: 'agent', client: name }])),
};

/** A workspace under attack: the server, who is honest in it, and the threads there are. */
export interface House {
  readonly path: string;
  /** Of a PostgreSQL workspace. */
  readonly database: string | undefined;
  readonly report: Report;
  readonly models: FakeModels;
  /** What the provider answers to a request with certain words in it; the newest first, PASS to all others. */
  readonly answers: Map<string, FakeStep>;
  /** What no answer to an intruder may contain, by what it is. */
  readonly secrets: Map<string, string>;
  /** Threads whose events came from elsewhere. */
  readonly imported: Set<string>;
  /** Who has ever had a credential. */
  readonly issued: Set<string>;
  /** The ids of all commands that were sent as an honest participant. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
  readonly places: Places;
  /** The one that runs; where it ended by itself, the next one. */
  server(): Promise<Server>;
  as(participant: typeof HUMAN | typeof BEE): Promise<Client>;
  issue(participant: string, tactic: string): Promise<Caller>;
  /** The log as it is on the disk, apart from the server. */
  read<T>(work: (log: EventLog) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface Places {
  /** Honest work and intruders together. */
  readonly hall: string;
  /** The honest agent's own thread, and the human's. */
  readonly hive: string;
  readonly study: string;
  /** Where the agent is that the server runs. */
  readonly lab: string;
  readonly talk: string;
  readonly pool: string;
  readonly loom: string;
  readonly side: string;
  readonly event: string;
  readonly node: string;
}

export interface HouseParts {
  readonly workspace: Workspace;
  readonly database?: string;
  readonly models: FakeModels;
  readonly report: Report;
}

export async function openHouse({ workspace, database, models, report }: HouseParts): Promise<House> {
  const commands = new Map<string, Set<string>>([HUMAN, BEE].map((id) => [id, new Set()]));
  const secrets = new Map<string, string>();
  const answers = new Map<string, FakeStep>();
  const tokens = new Map<string, string>();
  const issued = new Set<string>([HUMAN, BEE]);
  let closing = false;
  writeFileSync(join(workspace.path, 'heddle.yaml'), settings(models, workspace.path));
  models.answer((request) => [...answers].findLast(([words]) => hasWords(request, words))?.[1] ?? { text: 'PASS' });
  let current = start();

  async function start(): Promise<Server> {
    const server = await workspace.serve();
    void server.child.ended.then((end) => {
      if (closing || server.killed) return;
      report.add(`the server ended by itself (${end})`, server.child.complaint().slice(-600));
      current = start();
    });
    return server;
  }

  async function as(participant: string): Promise<Client> {
    const { url, token } = await current;
    const noted = commands.get(participant) as Set<string>;
    return createClient({
      url,
      token: participant === HUMAN ? token : (tokens.get(participant) as string),
      retryForMs: 0,
      async fetch(request) {
        const id = request.headers.get('idempotency-key');
        if (id !== null) noted.add(id);
        const response = await globalThis.fetch(request);
        if (response.status >= 500) {
          const text = await response.clone().text();
          const { pathname } = new URL(request.url);
          inspect(house as House, { status: response.status, headers: {}, text }, `${participant}’s request`, {
            pathname,
          });
        }
        return response;
      },
    });
  }

  const house: Omit<House, 'places'> = {
    path: workspace.path,
    database,
    report,
    models,
    answers,
    secrets,
    imported: new Set(),
    issued,
    commands,
    server: () => current,
    as,
    async issue(participant, tactic) {
      const { token, credential } = await (await as(HUMAN)).credentials.issue({ participant });
      issued.add(participant);
      return createCaller(house as House, { id: participant, token, credential: credential.id }, tactic);
    },
    async read(work) {
      const log = database ? await openPostgresLog(database) : openSqliteLog(workspace.database, { readOnly: true });
      return work(log).finally(() => log.close());
    },
    async close() {
      closing = true;
      await (await current).stop();
    },
  };

  const human = await as(HUMAN);
  const { token } = await human.credentials.issue({ participant: BEE });
  tokens.set(BEE, token);
  secrets.set('the human’s token', (await current).token);
  secrets.set('another agent’s token', token);
  const places = await furnish(human, await as(BEE));
  await human.thread(places.loom).loom.keepScratch({ edits: [], buffer: SCRATCH, count: 0, after: null });
  secrets.set('what the human has not committed', SCRATCH);
  return Object.assign(house, { places });
}

export function hasWords({ body }: FakeRequest, words: string): boolean {
  return body.messages?.some(({ content }) => content.includes(words)) ?? false;
}

/** Everything that is configured here, a human has configured. */
function settings(models: FakeModels, path: string): string {
  return JSON.stringify({
    models: {
      evil: {
        provider: 'openai-chat',
        base_url: models.openAiUrl,
        model: 'evil',
        price: { input: 1, output: 1 },
        timeouts: { connect: 2, first_token: 2, idle: 2, total: 10 },
      },
    },
    defaults: { mind: 'evil', auditor: 'evil', loom: 'evil' },
    clients: clientsFor(path),
  });
}

async function furnish(human: Client, bee: Client): Promise<Places> {
  const invite = [{ participant_id: BEE }];
  const { thread: hall } = await human.threads.create({ title: 'Hall', invite });
  const { thread: study } = await human.threads.create({ title: 'Study' });
  const { thread: hive } = await bee.threads.create({ title: 'Hive' });
  const scout = { participant_id: SCOUT, profile: GIVEN[SCOUT] as Profile };
  const { thread: lab } = await human.threads.create({ title: 'Lab', invite: [scout] });
  const { event } = await human.thread(hall.id).post({ type: 'message', content: 'Welcome' });
  const side = await human.thread(hall.id).command('side_open', { question: 'Which?', members: [BEE] });
  const { thread: talk } = await human.threads.create({ title: 'Talk', kind: 'dialogue' });
  const { thread: pool } = await human.threads.create({ title: 'Pool', kind: 'exchange' });
  const { thread: loom, nodes } = await makeLoom(human);
  return {
    hall: hall.id,
    hive: hive.id,
    study: study.id,
    lab: lab.id,
    talk: talk.id,
    pool: pool.id,
    loom,
    side: side.thread.id,
    event: event.id,
    node: nodes.first,
  };
}
