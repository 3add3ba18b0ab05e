import { z } from 'zod';
import { createCall } from './call.ts';
import { OWN_URLS, type RemoteOptions } from './options.ts';

const LONGEST_WAIT_MS = 10_000;
const MOST = 1_000;
const list = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) }).catch({ id: '' })) });

/** The models that a server says it has (M14); undefined where it does not say. */
export async function offeredBy(options: RemoteOptions, signal?: AbortSignal): Promise<readonly string[] | undefined> {
  const { baseUrl = OWN_URLS[options.provider], provider } = options;
  const tooLong = AbortSignal.timeout(LONGEST_WAIT_MS);
  const call = createCall(options, signal ? AbortSignal.any([signal, tooLong]) : tooLong);
  const isAnthropic = provider === 'anthropic';
  try {
    const url = `${baseUrl.replace(/\/$/, '')}${isAnthropic ? '/v1/models?limit=1000' : '/models'}`;
    const headers = isAnthropic ? { 'anthropic-version': '2023-06-01' } : {};
    const response = await call.fetch(url, { method: 'GET', headers });
    if (!response.ok) return undefined;
    const ids = list.parse(await response.json()).data.map(({ id }) => id.replace(/\p{Cc}/gu, ''));
    return ids.filter((id) => id !== '').slice(0, MOST);
  } catch {
    return undefined;
  }
}
