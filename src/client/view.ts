import type { RequestQuery, RouteKey, RouteResponse } from '../protocol/routes.ts';
import type { ClientCall, Http } from './http.ts';

type ViewOptions<Key extends RouteKey> = RequestQuery<Key> & { readonly signal?: AbortSignal | undefined };

/** Makes calls that read a view of a thread, each with the query that its route takes. */
export function createView({ call }: Http, thread: string) {
  return <Key extends RouteKey>(key: Key) =>
    ({ signal, ...query }: ViewOptions<Key> = {} as ViewOptions<Key>): Promise<RouteResponse<Key>> =>
      call(key, { params: { thread }, query, signal } as unknown as ClientCall<Key>);
}
