// A server whose minds are played by a script: `pg-mind-reactor.ts URL DIRECTORY`. Runs until it is killed.

import { createModels } from '../../src/engine/calls/models.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { createPerformers } from '../../src/engine/performers.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { openEmbedder } from '../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';

const [url = '', directory = ''] = process.argv.slice(2);
const log = await openPostgresLog(url);
const models = { mind: { provider: 'scripted' as const, path: 'mind.json' } };
const settings = { models, clients: {}, defaults: { mind: 'mind' }, budgets: {} };
const registry = createRegistry({ settings: () => settings, directory });
const secrets = createSecrets(registry.keys);
const asked = createModels({ log, registry, secrets });
const engine = await createEngine({
  log,
  secrets,
  ...createPerformers(log, asked, openEmbedder({ cacheDir: directory })),
});
engine.startWork();
console.log(JSON.stringify({ ready: true }));
