import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from './cli/failure.ts';
import type { CliHost } from './cli/host.ts';
import { runCommandLine } from './cli/program.ts';
import type { QuirkStorage } from './models/registry/quirk-store.ts';
import type { SettingsSource } from './workspace/settings/source.ts';

const root = join(import.meta.dirname, '..');

/** The wiring of Heddle: the only place that chooses between implementations. */
const host: CliHost = {
  get version() {
    return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  },

  async openLog({ file, url }, options) {
    if (url !== undefined) return (await import('./log/postgres/postgres-log.ts')).openPostgresLog(url);
    return (await import('./log/sqlite/sqlite-log.ts')).openSqliteLog(file, options);
  },

  async mendLog({ file, url }, repair, keepAt) {
    if (url !== undefined) return (await import('./log/postgres/repair.ts')).repairPostgres(url, repair, keepAt);
    return (await import('./log/sqlite/repair.ts')).repairSqlite(file, repair, keepAt);
  },

  async checkLog({ file, url }) {
    if (url !== undefined) return (await import('./log/postgres/check.ts')).checkPostgres(url);
    return (await import('./log/sqlite/check.ts')).checkSqlite(file);
  },

  async planPull(name) {
    return (await import('./models/builtin/larger/pull.ts')).planPull(name);
  },

  async listOfferedModels(entry, key) {
    const [{ offeredTo: listServerModels }, { openKeyStore }] = await Promise.all([
      import('./models/open.ts'),
      import('./workspace/keys/key-store.ts'),
    ]);
    const storedKey = (name: string) => key ?? openKeyStore().read(name);
    return listServerModels('new', entry, { env: process.env, directory: '.', storedKey });
  },

  async programOf(client) {
    const { findProgram, programNameOf } = await import('./agents/program/find-program.ts');
    const program = programNameOf(client);
    return { program, path: findProgram(program) ?? null };
  },

  async sandboxFor(setting) {
    return (await import('./agents/program/sandbox.ts')).detectSandbox(setting);
  },

  async tryAgent(client, prompt, { seconds, ...where }) {
    const { createAgent } = await import('./agents/adapters.ts');
    const agentRequest = { participant: 'trial', thread: 'trial', title: 'A trial', prompt };
    return createAgent(client).ask(agentRequest, { caps: { seconds, bytes: 1024 * 1024 }, ...where });
  },

  async openServer(log, { limits = {}, settings, tokenKey, isShared = false, ...options } = {}) {
    const [
      { createEngine },
      { createPerformers },
      { createModels },
      { openEmbedder },
      { createSecrets },
      { createCredentials },
      { createApp },
      { agentsDirectoryOf },
      { killOrphans },
      { agentLimitsOf },
      { readTokenKey },
      { createQuirkStore },
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
    const registry = await registryOf(settings, source, createQuirkStore(log));
    const secrets = createSecrets(registry.keys);
    const models = createModels({ log, registry, secrets });
    const embedder = openEmbedder();
    const agents = settings === undefined ? undefined : agentsDirectoryOf(dirname(settings));
    const report = (error: unknown) => process.stderr.write(`${secrets.remove(String(error))}\n`);
    const engine = await createEngine({
      log,
      secrets,
      report,
      ...createPerformers(log, models, embedder, agents),
      runners: registry.runners,
      currency: registry.currency,
      defaultModel: registry.defaultFor,
      ...(source && { agentLimits: () => agentLimitsOf(source.current().limits.agents) }),
    });
    await engine.updateRows();
    const credentials = createCredentials({
      log,
      clock: engine.clock,
      ...(tokenKey !== undefined && { tokenKey: () => readTokenKey(tokenKey) }),
    });
    const { per_second, agents: _, ...otherLimits } = limits;
    let isWorking = false;
    let removeErrorHandler: (() => void) | undefined;
    const app = createApp({
      ...options,
      engine,
      credentials,
      models,
      embedder,
      version: host.version,
      page: join(root, 'dist/web'),
      mcp: (fetch) => createLazyMcp(fetch),
      isServed: () => isWorking || isShared,
      limits: { ...otherLimits, ...(per_second && { perSecond: per_second }) },
    });
    return {
      fetch: app.fetch,
      credentials,
      startWork(onProgress) {
        isWorking = true;
        killOrphans();
        engine.startWork(onProgress);
      },
      async listen(where) {
        const [{ listen, ListenError }, { surviveUncaughtErrors }] = await Promise.all([
          import('./server/http/listen.ts'),
          import('./server/uncaught-errors.ts'),
        ]);
        const listening = await listen({ app, ...where }).catch((error) => {
          throw error instanceof ListenError ? new Failure('cannot_listen', error.message) : error;
        });
        removeErrorHandler ??= surviveUncaughtErrors(secrets.remove, () => app.metrics.faults.uncaught++);
        return listening;
      },
      async close() {
        removeErrorHandler?.();
        app.close();
        credentials.close();
        await engine.close();
        await models.close();
        await embedder.close();
      },
    };
  },

  async openReader(log, options) {
    return (await import('./server/reader.ts')).openReader(log, { version: host.version, ...options });
  },
};

/** Loads the MCP library when the first agent connects. */
function createLazyMcp(fetch: (request: Request) => Promise<Response>) {
  let mcp: Promise<ReturnType<typeof import('./mcp/http.ts').createMcpHttp>> | undefined;
  const load = () => {
    mcp ??= import('./mcp/http.ts').then(({ createMcpHttp }) => createMcpHttp(fetch, host.version));
    return mcp;
  };
  return {
    answer: async (request: Request, caller: { readonly token: string; readonly participant: string }) =>
      (await load()).answer(request, caller),
    close: async () => (await mcp)?.close(),
  };
}

async function settingsSource(path: string): Promise<SettingsSource> {
  const { openSettingsSource } = await import('./workspace/settings/source.ts');
  return openSettingsSource(path, undefined, (problem) => process.stderr.write(`${problem}\n`));
}

async function registryOf(path: string | undefined, source: SettingsSource | undefined, quirks: QuirkStorage) {
  const { createRegistry } = await import('./models/registry/registry.ts');
  if (path === undefined || source === undefined) return createRegistry({ quirks });
  const [{ createRegistryWriter }, { openKeyStore }] = await Promise.all([
    import('./workspace/settings/registry-writer.ts'),
    import('./workspace/keys/key-store.ts'),
  ]);
  return createRegistry({
    settings: source.current,
    problem: source.problem,
    directory: dirname(path),
    writer: createRegistryWriter(path),
    storedKey: openKeyStore().read,
    quirks,
  });
}

await runCommandLine(process.argv.slice(2), host, basename(process.argv[1] ?? '', '.js'));
