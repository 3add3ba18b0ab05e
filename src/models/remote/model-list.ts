import { z } from 'zod';
import { createCall } from './call.ts';
import { DEFAULT_URLS, type RemoteOptions } from './options.ts';

const TIMEOUT_MS = 10_000;
const MAX_MODELS = 1_000;
const modelListSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) }).catch({ id: '' })) });

export interface ServerListing {
  readonly models: readonly string[];
  /** Why there is no list, as a sentence. */
  readonly problem?: string;
}

/** The models that a server lists (M14); undefined if it does not say. */
export async function fetchModelList(
  options: RemoteOptions,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { models, problem } = await askForModels(options, signal);
  return problem === undefined ? models : undefined;
}

/** The same with the reason why there is no list. */
export async function askForModels(options: RemoteOptions, signal?: AbortSignal): Promise<ServerListing> {
  const { baseUrl = DEFAULT_URLS[options.provider], provider } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const call = createCall(options, signal ? AbortSignal.any([signal, timeout]) : timeout);
  const isAnthropic = provider === 'anthropic';
  const { host } = new URL(baseUrl);
  const failed = (problem: string) => ({ models: [], problem });
  try {
    const url = `${baseUrl.replace(/\/$/, '')}${isAnthropic ? '/v1/models?limit=1000' : '/models'}`;
    const headers = isAnthropic ? { 'anthropic-version': '2023-06-01' } : {};
    const response = await call.fetch(url, { method: 'GET', headers });
    if (response.status === 401 || response.status === 403) {
      return failed(options.apiKey ? `${host} refused the key (${response.status}).` : `${host} needs an API key.`);
    }
    if (!response.ok) return failed(`${host} answered with status ${response.status}. Check the address.`);
    const ids = modelListSchema.parse(await response.json()).data.map(({ id }) => id.replace(/\p{Cc}/gu, ''));
    return { models: ids.filter((id) => id !== '').slice(0, MAX_MODELS) };
  } catch (error) {
    const hasAnswered = error instanceof z.ZodError || error instanceof SyntaxError;
    if (hasAnswered) return failed(`${host} does not list its models. Type the ID of the one you want.`);
    return failed(`Nothing answers at ${host}. Check the address, and that the server is running.`);
  }
}
