// A server whose exchanges are played by scripts: `pg-exchange-reactor.ts URL DIRECTORY`. Runs until it is killed.

import { createModels } from '../../src/engine/calls/models.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { createPerformers } from '../../src/engine/performers.ts';
import { createSecrets } from '../../src/engine/secrets.ts';
import { openPostgresLog } from '../../src/log/postgres/postgres-log.ts';
import { openEmbedder } from '../../src/models/builtin/embedder/embedder.ts';
import { createRegistry } from '../../src/models/registry/registry.ts';

const [url = '', directory = ''] = process.argv.slice(2);
const log = await openPostgresLog(url);
const scripted = (path: string) => ({ provider: 'scripted' as const, path });
const models = { mind: scripted('mind.json'), auditor: scripted('auditor.json') };
const settings = { models, clients: {}, defaults: { mind: 'mind', auditor: 'auditor' }, budgets: {} };
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
