import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from './cli/failure.ts';
import type { Host } from './cli/host.ts';
import { run } from './cli/program.ts';
import type { QuirkStore } from './models/registry/quirk-store.ts';
import type { SettingsSource } from './workspace/settings/source.ts';

const root = join(import.meta.dirname, '..');

/** What Heddle is made of: the only place where one implementation is preferred to another. */
const host: Host = {
  get version() {
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  },

  async openLog({ file, url }, options) {
    if (url !== undefined) return (await import('./log/postgres/postgres-log.ts')).openPostgresLog(url);
    return (await import('./log/sqlite/sqlite-log.ts')).openSqliteLog(file, options);
  },

  async mendLog({ file, url }, repair, keepAt) {
    if (url !== undefined) return (await import('./log/postgres/repair.ts')).mendPostgres(url, repair, keepAt);
    return (await import('./log/sqlite/repair.ts')).mendSqlite(file, repair, keepAt);
  },

  async checkLog({ file, url }) {
    if (url !== undefined) return (await import('./log/postgres/check.ts')).checkPostgres(url);
    return (await import('./log/sqlite/check.ts')).checkSqlite(file);
  },

  async planPull(name) {
    return (await import('./models/builtin/larger/pull.ts')).planPull(name);
  },

  async offered(entry, key) {
    const [{ offeredTo }, { openKeys }] = await Promise.all([
      import('./models/open.ts'),
      import('./workspace/keys/key-store.ts'),
    ]);
    const storedKey = (name: string) => key ?? openKeys().read(name);
    return offeredTo('new', entry, { env: process.env, directory: '.', storedKey });
  },

  async programOf(client) {
    const { programAt, programOf } = await import('./agents/program/find-program.ts');
    const program = programOf(client);
    return { program, path: programAt(program) ?? null };
  },

  async sandboxFor(setting) {
    return (await import('./agents/program/sandbox.ts')).sandboxFor(setting);
  },

  async tryAgent(client, prompt, { seconds, ...where }) {
    const { agentFor } = await import('./agents/adapters.ts');
    const question = { participant: 'trial', thread: 'trial', title: 'A trial', prompt };
    return agentFor(client).ask(question, { caps: { seconds, bytes: 1024 * 1024 }, ...where });
  },

  async openServer(log, { limits = {}, settings, tokenKey, ...options } = {}) {
    const [
      { createEngine },
      { createWork },
      { createModels },
      { openEmbedder },
      { createSecrets },
      { createCredentials },
      { createApp },
      { agentsPlace },
      { killOrphans },
      { agentLimitsIn },
      { tokenKeyIn },
      { quirksBeside },
    ] = await Promise.all([
      import('./engine/engine.ts'),
      import('./engine/performers.ts'),
      import('./engine/calls/models.ts'),
      import('./models/builtin/embedder/embedder.ts'),
      import('./engine/secrets.ts'),
      import('./server/auth/credentials.ts'),
      import('./server/app.ts'),
      import('./workspace/agents-directory.ts'),
      import('./agents/program/process-tree.ts'),
      import('./workspace/settings/agent-limits.ts'),
      import('./workspace/keys/token-key.ts'),
      import('./engine/calls/quirks.ts'),
    ]);
    const source = settings === undefined ? undefined : await settingsSource(settings);
    const registry = await registryOf(settings, source, quirksBeside(log));
    const secrets = createSecrets(registry.keys);
    const models = createModels({ log, registry, secrets });
    const embedder = openEmbedder();
    const agents = settings === undefined ? undefined : agentsPlace(dirname(settings));
    const report = (error: unknown) => process.stderr.write(`${secrets.remove(String(error))}\n`);
    const engine = await createEngine({
      log,
      secrets,
      report,
      ...createWork(log, models, embedder, agents),
      runners: registry.runners,
      ...(source && { agentLimits: () => agentLimitsIn(source.current().limits.agents) }),
    });
    await engine.bringRows();
    const credentials = createCredentials({
      log,
      clock: engine.clock,
      ...(tokenKey !== undefined && { tokenKey: () => tokenKeyIn(tokenKey) }),
    });
    const { per_second, agents: _, ...others } = limits;
    let stopKeeping: (() => void) | undefined;
    const app = createApp({
      ...options,
      engine,
      credentials,
      models,
      embedder,
      version: host.version,
      page: join(root, 'dist/web'),
      mcp: (fetch) => lazyMcp(fetch),
      limits: { ...others, ...(per_second && { perSecond: per_second }) },
    });
    return {
      fetch: app.fetch,
      credentials,
      startWork(told) {
        killOrphans();
        engine.startWork(told);
      },
      async listen(where) {
        const [{ listen, ListenError }, { keepServing }] = await Promise.all([
          import('./server/http/listen.ts'),
          import('./server/uncaught-errors.ts'),
        ]);
        const listening = await listen({ app, ...where }).catch((error) => {
          throw error instanceof ListenError ? new Failure('cannot_listen', error.message) : error;
        });
        stopKeeping ??= keepServing(secrets.remove, () => app.metrics.faults.uncaught++);
        return listening;
      },
      async close() {
        stopKeeping?.();
        app.close();
        credentials.close();
        await engine.close();
        await models.close();
        await embedder.close();
      },
    };
  },
};

/** The protocol's library is loaded when the first agent comes. */
function lazyMcp(fetch: (request: Request) => Promise<Response>) {
  let loaded: Promise<ReturnType<typeof import('./mcp/http.ts').createMcpHttp>> | undefined;
  const load = () => {
    loaded ??= import('./mcp/http.ts').then(({ createMcpHttp }) => createMcpHttp(fetch, host.version));
    return loaded;
  };
  return {
    answer: async (request: Request, caller: { readonly token: string; readonly participant: string }) =>
      (await load()).answer(request, caller),
    close: async () => (await loaded)?.close(),
  };
}

async function settingsSource(path: string): Promise<SettingsSource> {
  const { openSettings } = await import('./workspace/settings/source.ts');
  return openSettings(path, undefined, (problem) => process.stderr.write(`${problem}\n`));
}

async function registryOf(path: string | undefined, source: SettingsSource | undefined, quirks: QuirkStore) {
  const { createRegistry } = await import('./models/registry/registry.ts');
  if (path === undefined || source === undefined) return createRegistry({ quirks });
  const [{ settingsWriter }, { openKeys }] = await Promise.all([
    import('./workspace/settings/registry-writer.ts'),
    import('./workspace/keys/key-store.ts'),
  ]);
  return createRegistry({
    settings: source.current,
    problem: source.problem,
    directory: dirname(path),
    writer: settingsWriter(path),
    storedKey: openKeys().read,
    quirks,
  });
}

await run(process.argv.slice(2), host, basename(process.argv[1] ?? '', '.js'));
