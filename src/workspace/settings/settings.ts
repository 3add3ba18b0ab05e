import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { DEFAULT_CURRENCY } from '../../core/text/money.ts';
import { closestName } from '../../core/text/nearest.ts';
import { participantId } from '../../core/threads/schema.ts';
import { BUILTIN_MODELS, type RegistrySettings, registryFields, sandboxModes } from '../../models/registry/schema.ts';
import { unusablePathError } from '../directory.ts';
import { readTextFile } from '../line-file.ts';
import { agentLimitsSchema } from './agent-limits.ts';
import { personalSettingsPath } from './personal-path.ts';
import { parseYaml, type YamlFile } from './yaml-file.ts';

export const settingsSchema = z.strictObject({
  person: z.strictObject({ id: participantId }).exactOptional(),
  synchronous: z.enum(['FULL', 'NORMAL']).exactOptional(),
  limits: z
    .strictObject({
      burst: z.number().int().positive().exactOptional(),
      per_second: z.number().positive().exactOptional(),
      streams: z.number().int().positive().exactOptional(),
      agents: agentLimitsSchema.exactOptional(),
    })
    .default({}),
  sandbox: z.enum(sandboxModes).exactOptional(),
  ...registryFields,
});
type SettingsFile = z.infer<typeof settingsSchema>;
export type WorkspaceSettings = Required<SettingsFile> & Required<Pick<RegistrySettings, 'written'>>;

const DEFAULT_SETTINGS_TEXT = `# Settings of this Heddle workspace. Everything here may be left out; what you see is what holds without it.
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
#   agents: {threads_per_hour: 20, invitations_per_hour: 50, open_drafts: 20, import_mb: 32, upload_mb_per_hour: 256}

# Programs of agents run in a sandbox (bubblewrap) where one works. off: never; required: they do not start without one.
# sandbox: auto

# Models, by a name of your own; "heddle models add" and the page's settings write such a block. A key is only named here
# (api_key_env): set that variable, or store the key with "heddle models key". Prices are per million tokens. Fields that
# Heddle does not know can be passed on to a server: extra: {min_p: 0.1}.
# models:
#   small: {provider: embedded}

# The default models of minds, auditors and looms.
# defaults: {mind: small, auditor: small, loom: small}

# The currency of prices and budgets, as its ISO 4217 code: USD, EUR, CHF.
# currency: USD

# When models have used so much, in tokens or money, they stop and ask: in all, in one thread, in one run.
# budgets:
#   workspace: {tokens: 1000000, money: 5}
`;

/** Reads the workspace's settings, which override the user's own. Throws an error that names the file and line. */
export function readSettings(path: string, personalPath?: string): WorkspaceSettings {
  return parseSettings(path, readTextFile(path), personalPath);
}

/** Like `readSettings`, with this text as the workspace's file. */
export function parseSettings(
  path: string,
  text: string,
  personalPath: string = personalSettingsPath(),
): WorkspaceSettings {
  const files = [
    parseYaml(personalPath, readTextFile(personalPath), settingsSchema),
    parseYaml(path, text, settingsSchema),
  ] as const;
  const [personalData, workspaceData] = files.map(({ data }) => data) as [SettingsFile, SettingsFile];
  const settings: WorkspaceSettings = {
    person: workspaceData.person ?? personalData.person ?? { id: 'human' },
    synchronous: workspaceData.synchronous ?? personalData.synchronous ?? 'FULL',
    sandbox: workspaceData.sandbox ?? personalData.sandbox ?? 'auto',
    limits: {
      ...personalData.limits,
      ...workspaceData.limits,
      agents: { ...personalData.limits.agents, ...workspaceData.limits.agents },
    },
    models: { ...BUILTIN_MODELS, ...personalData.models, ...workspaceData.models },
    clients: { ...personalData.clients, ...workspaceData.clients },
    defaults: { ...personalData.defaults, ...workspaceData.defaults },
    budgets: { ...personalData.budgets, ...workspaceData.budgets },
    currency: workspaceData.currency ?? personalData.currency ?? DEFAULT_CURRENCY,
    written: Object.keys(workspaceData.models),
  };
  for (const file of files) checkDefaults(file, settings);
  return settings;
}

/** Writes a starter file once, so that users find the available settings. */
export function writeDefaultSettings(path: string): void {
  try {
    writeFileSync(path, DEFAULT_SETTINGS_TEXT, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusablePathError(path, error);
  }
}

/** Checks that each default names a model that exists in either file. */
function checkDefaults({ data, errorAt }: YamlFile<SettingsFile>, { models }: WorkspaceSettings): void {
  for (const [role, name] of Object.entries(data.defaults)) {
    if (name === undefined || Object.hasOwn(models, name)) continue;
    const suggestion = closestName(name, Object.keys(models));
    throw errorAt(
      ['defaults', role],
      `"defaults.${role}" names the model "${name}", which is not under "models"${suggestion ? `. Did you mean "${suggestion}"?` : ''}`,
    );
  }
}
