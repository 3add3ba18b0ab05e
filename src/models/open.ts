import { resolve } from 'node:path';
import { cacheDirectory } from './builtin/weights/cache.ts';
import type { Capabilities, Model } from './model.ts';
import type { ModelEntry, RemoteServer } from './registry/schema.ts';
import { apiKeyFor, type ModelEnvironment } from './registry/state.ts';
import type { ServerListing } from './remote/model-list.ts';
import type { RemoteOptions } from './remote/options.ts';

export type OpenModel = (name: string, entry: ModelEntry, environment: ModelEnvironment) => Promise<Model>;

/** The assumed context of a server if the settings do not say. */
const DEFAULT_CONTEXT = { 'openai-completions': 4096, 'openai-chat': 16_384, anthropic: 200_000 };

/** Loads the code of one provider; weights are read and servers contacted only at the first request. */
export const openModel: OpenModel = async (name, entry, environment) => {
  const { env, directory, quirks } = environment;
  switch (entry.provider) {
    case 'embedded':
      return { ...(await import('./builtin/small/small-model.ts')).openSmallModel(), id: name };
    case 'local':
      return (await import('./builtin/larger/larger-model.ts')).openLargerModel(name, entry.model, cacheDirectory(env));
    case 'scripted': {
      const { createScriptedModel } = await import('./scripted/scripted.ts');
      const { createResilientModel: steady } = await import('./resilience/resilient-model.ts');
      return steady(createScriptedModel({ id: name, path: resolve(directory, entry.path) }));
    }
    default: {
      const { createRemoteModel } = await import('./remote/remote.ts');
      return createRemoteModel({ ...remoteOptions(name, entry, environment), ...(quirks && { quirks }) });
    }
  }
};

/** The models that a model's server lists; undefined for a model without a server. */
export async function offeredTo(
  name: string,
  entry: ModelEntry,
  environment: ModelEnvironment,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (!isRemote(entry)) return undefined;
  return (await import('./remote/model-list.ts')).fetchModelList(remoteOptions(name, entry, environment), signal);
}

/** The models of a server that is not in the settings yet; the typed key goes before one that is stored. */
export async function listModelsOf(
  server: RemoteServer,
  environment: ModelEnvironment,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<ServerListing> {
  const typed = { ...environment, env: {}, storedKey: () => key };
  const entry: RemoteEntry = { model: '-', ...server, ...(key !== undefined && { api_key_env: 'TYPED' }) };
  const options = remoteOptions('new', entry, key === undefined ? environment : typed);
  return (await import('./remote/model-list.ts')).askForModels(options, signal);
}

/**
 * A model's declared capabilities, without loading weights or contacting a server; undefined if it cannot be opened.
 */
export async function readCapabilities(
  name: string,
  entry: ModelEntry,
  environment: ModelEnvironment,
): Promise<Capabilities | undefined> {
  try {
    return (await openModel(name, entry, environment)).capabilities;
  } catch {
    return undefined;
  }
}

type RemoteEntry = Exclude<ModelEntry, { provider: 'embedded' | 'local' | 'scripted' }>;

function isRemote(entry: ModelEntry): entry is RemoteEntry {
  return entry.provider !== 'embedded' && entry.provider !== 'local' && entry.provider !== 'scripted';
}

function remoteOptions(id: string, entry: RemoteEntry, environment: ModelEnvironment): RemoteOptions {
  const { provider, model, base_url, timeouts } = entry;
  const apiKey = apiKeyFor(entry, environment);
  const declared = {
    ...('n' in entry && { n: entry.n }),
    ...('logprobs' in entry && { logprobs: entry.logprobs }),
    ...('images' in entry && { images: entry.images }),
    ...('fill_in_the_middle' in entry && { fillInTheMiddle: entry.fill_in_the_middle }),
  };
  return {
    id,
    provider,
    model,
    context: entry.context ?? DEFAULT_CONTEXT[provider],
    capabilities: declared as Partial<Capabilities>,
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(apiKey && { apiKey: apiKey }),
    ...(entry.extra && { extra: entry.extra }),
    ...(timeouts && { timeouts: toMilliseconds(timeouts) }),
  };
}

function toMilliseconds({ connect, first_token, idle, total }: NonNullable<RemoteEntry['timeouts']>) {
  const toMs = (seconds: number) => seconds * 1000;
  return {
    ...(connect !== undefined && { connect: toMs(connect) }),
    ...(first_token !== undefined && { firstToken: toMs(first_token) }),
    ...(idle !== undefined && { idle: toMs(idle) }),
    ...(total !== undefined && { total: toMs(total) }),
  };
}
