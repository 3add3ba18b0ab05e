import type { Client } from '../../client/index.ts';
import { linkTo, parseLink } from '../../core/link.ts';
import { findThread } from './find.ts';

/** A place as people name it: an address of the page, its path, or a thread by its id or title. */
export async function resolveLink(client: Client, name: string): Promise<string> {
  return parseLink(name) ? name : linkTo(findThread((await client.threads.list()).threads, name));
}
