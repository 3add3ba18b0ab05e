import { z } from 'zod';
import { createCall } from './call.ts';
import { DEFAULT_URLS, type RemoteOptions } from './options.ts';

const TIMEOUT_MS = 10_000;
const MAX_MODELS = 1_000;
const modelListSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) }).catch({ id: '' })) });

/** The models that a server lists (M14); undefined if it does not say. */
export async function fetchModelList(
  options: RemoteOptions,
  signal?: AbortSignal,
): Promise<readonly string[] | undefined> {
  const { baseUrl = DEFAULT_URLS[options.provider], provider } = options;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const call = createCall(options, signal ? AbortSignal.any([signal, timeout]) : timeout);
  const isAnthropic = provider === 'anthropic';
  try {
    const url = `${baseUrl.replace(/\/$/, '')}${isAnthropic ? '/v1/models?limit=1000' : '/models'}`;
    const headers = isAnthropic ? { 'anthropic-version': '2023-06-01' } : {};
    const response = await call.fetch(url, { method: 'GET', headers });
    if (!response.ok) return undefined;
    const ids = modelListSchema.parse(await response.json()).data.map(({ id }) => id.replace(/\p{Cc}/gu, ''));
    return ids.filter((id) => id !== '').slice(0, MAX_MODELS);
  } catch {
    return undefined;
  }
}
