import type { Client } from '../../client/index.ts';
import { linkTo, parseLink } from '../../core/link.ts';
import { findThread } from './find.ts';

/** Resolves a page URL, its path, or a thread's id or title to a link. */
export async function resolveLink(client: Client, name: string): Promise<string> {
  return parseLink(name) ? name : linkTo(findThread((await client.threads.list({ archived: 'true' })).threads, name));
}
