import { resolve } from 'node:path';
import { cacheDirectory } from './builtin/weights/cache.ts';
import type { Capabilities, Model } from './model.ts';
import type { ModelEntry } from './registry/schema.ts';
import { keyFor, type Surroundings } from './registry/state.ts';
import type { RemoteOptions } from './remote/options.ts';

export type OpenModel = (name: string, entry: ModelEntry, surroundings: Surroundings) => Promise<Model>;

/** What a server is taken to have room for where the settings do not say. */
const USUAL_CONTEXT = { 'openai-completions': 4096, 'openai-chat': 16_384, anthropic: 200_000 };

/** Loads the code of one provider; weights are read, and anyone asked, at the first request only. */
export const openModel: OpenModel = async (name, entry, surroundings) => {
  const { env, directory, quirks } = surroundings;
  switch (entry.provider) {
    case 'embedded':
      return { ...(await import('./builtin/small/small-model.ts')).openEmbeddedModel(), id: name };
    case 'local':
      return (await import('./builtin/larger/larger-model.ts')).openLocalModel(name, entry.model, cacheDirectory(env));
    case 'scripted': {
      const { createScriptedModel } = await import('./scripted/scripted.ts');
      const { steady } = await import('./resilience/resilient-model.ts');
      return steady(createScriptedModel({ id: name, path: resolve(directory, entry.path) }));
    }
    default: {
      const { createRemoteModel } = await import('./remote/remote.ts');
      return createRemoteModel({ ...remoteOptions(name, entry, surroundings), ...(quirks && { quirks }) });
    }
  }
};

/** What the server of a model says it has; undefined for a model without one. */
export async function offeredTo(
  name: string,
  entry: ModelEntry,
  surroundings: Surroundings,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (!isRemote(entry)) return undefined;
  return (await import('./remote/model-list.ts')).offeredBy(remoteOptions(name, entry, surroundings), signal);
}

/** What a model declares, without loading its weights or asking anyone; undefined where it cannot even be opened. */
export async function declaredBy(
  name: string,
  entry: ModelEntry,
  surroundings: Surroundings,
): Promise<Capabilities | undefined> {
  try {
    return (await openModel(name, entry, surroundings)).capabilities;
  } catch {
    return undefined;
  }
}

type RemoteEntry = Exclude<ModelEntry, { provider: 'embedded' | 'local' | 'scripted' }>;

function isRemote(entry: ModelEntry): entry is RemoteEntry {
  return entry.provider !== 'embedded' && entry.provider !== 'local' && entry.provider !== 'scripted';
}

function remoteOptions(id: string, entry: RemoteEntry, surroundings: Surroundings): RemoteOptions {
  const { provider, model, base_url, timeouts } = entry;
  const key = keyFor(entry, surroundings);
  const said = {
    ...('n' in entry && { n: entry.n }),
    ...('logprobs' in entry && { logprobs: entry.logprobs }),
    ...('fill_in_the_middle' in entry && { fillInTheMiddle: entry.fill_in_the_middle }),
  };
  return {
    id,
    provider,
    model,
    context: entry.context ?? USUAL_CONTEXT[provider],
    capabilities: said as Partial<Capabilities>,
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(key && { apiKey: key }),
    ...(entry.extra && { extra: entry.extra }),
    ...(timeouts && { timeouts: inMs(timeouts) }),
  };
}

function inMs({ connect, first_token, idle, total }: NonNullable<RemoteEntry['timeouts']>) {
  const ms = (seconds: number) => seconds * 1000;
  return {
    ...(connect !== undefined && { connect: ms(connect) }),
    ...(first_token !== undefined && { firstToken: ms(first_token) }),
    ...(idle !== undefined && { idle: ms(idle) }),
    ...(total !== undefined && { total: ms(total) }),
  };
}
