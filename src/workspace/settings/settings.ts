import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { nearest } from '../../core/text/nearest.ts';
import { participantId } from '../../core/threads/schema.ts';
import { ALWAYS_THERE, type RegistrySettings, registrySettings, sandboxModes } from '../../models/registry/schema.ts';
import { unusable } from '../directory.ts';
import { agentLimitsFile } from './agent-limits.ts';
import { parseYaml, textOf, type YamlFile } from './yaml-file.ts';

/** What heddle.yaml may say. */
export const settingsFile = z.strictObject({
  person: z.strictObject({ id: participantId }).exactOptional(),
  synchronous: z.enum(['FULL', 'NORMAL']).exactOptional(),
  limits: z
    .strictObject({
      burst: z.number().int().positive().exactOptional(),
      per_second: z.number().positive().exactOptional(),
      streams: z.number().int().positive().exactOptional(),
      agents: agentLimitsFile.exactOptional(),
    })
    .default({}),
  sandbox: z.enum(sandboxModes).exactOptional(),
  ...registrySettings,
});
type Written = z.infer<typeof settingsFile>;
export type Settings = Required<Written> & Required<Pick<RegistrySettings, 'written'>>;

const FIRST_SETTINGS = `# Settings of this Heddle workspace. Everything here may be left out; what you see is what holds without it.
# Heddle reads this file when it starts, and again when what it says of models or of agents' limits has changed.
# "heddle doctor" says whether it can be read.

# Who you are in threads: the id others see and address you by.
# person:
#   id: human

# FULL: what was acknowledged is on the disk. NORMAL is faster and may lose the last moments in a power cut.
# synchronous: FULL

# What one credential may ask of the server: so many requests at once, then so many a second; so many open streams.
# limits:
#   burst: 20000
#   per_second: 2000
#   streams: 2000
# What one agent may do besides: threads (forks and side channels too) and invitations an hour, drafts waiting in a
# thread, megabytes of an import. Changes hold at once.
#   agents: {threads_per_hour: 20, invitations_per_hour: 50, open_drafts: 20, import_mb: 32}

# Programs of agents run in a sandbox (bubblewrap) where one works. off: never; required: they do not start without one.
# sandbox: auto

# Models, by a name of your own; "heddle models add" and the page's settings write such a block. A key is only named here
# (api_key_env): set that variable, or store the key with "heddle models key". Prices are per million tokens. Fields that
# Heddle does not know can be passed on to a server: extra: {min_p: 0.1}.
# models:
#   small: {provider: embedded}

# Which model a mind, an auditor and a loom use where none is named.
# defaults: {mind: small, auditor: small, loom: small}

# When models have used so much, in tokens or money, they stop and ask: in all, in one thread, in one run.
# budgets:
#   workspace: {tokens: 1000000, money: 5}
`;

/** Reads the workspace's settings over the person's own, or says in which line of which file they are wrong. */
export function readSettings(path: string, personal?: string): Settings {
  return settingsIn(path, textOf(path), personal);
}

/** The same where the workspace's file has this text. */
export function settingsIn(path: string, text: string, personal: string = personalSettings()): Settings {
  const files = [parseYaml(personal, textOf(personal), settingsFile), parseYaml(path, text, settingsFile)] as const;
  const [theirs, here] = files.map(({ data }) => data) as [Written, Written];
  const settings: Settings = {
    person: here.person ?? theirs.person ?? { id: 'human' },
    synchronous: here.synchronous ?? theirs.synchronous ?? 'FULL',
    sandbox: here.sandbox ?? theirs.sandbox ?? 'auto',
    limits: { ...theirs.limits, ...here.limits, agents: { ...theirs.limits.agents, ...here.limits.agents } },
    models: { ...ALWAYS_THERE, ...theirs.models, ...here.models },
    clients: { ...theirs.clients, ...here.clients },
    defaults: { ...theirs.defaults, ...here.defaults },
    budgets: { ...theirs.budgets, ...here.budgets },
    written: Object.keys(here.models),
  };
  for (const file of files) checkNames(file, settings);
  return settings;
}

/** What a person wants in every workspace of theirs. */
export function personalSettings(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  if (env.HEDDLE_CONFIG) return env.HEDDLE_CONFIG;
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'Heddle/config/heddle.yaml');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'heddle/heddle.yaml');
}

/** Written once, so that whoever looks for settings finds what there is. */
export function writeFirstSettings(path: string): void {
  try {
    writeFileSync(path, FIRST_SETTINGS, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(path, error);
  }
}

/** A default may name a model of either file, but it has to be one. */
function checkNames({ data, wrong }: YamlFile<Written>, { models }: Settings): void {
  for (const [role, name] of Object.entries(data.defaults)) {
    if (name === undefined || Object.hasOwn(models, name)) continue;
    const close = nearest(name, Object.keys(models));
    throw wrong(
      ['defaults', role],
      `"defaults.${role}" names the model "${name}", which "models" does not have${close ? `. Did you mean "${close}"?` : ''}`,
    );
  }
}
