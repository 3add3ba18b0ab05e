import { type Client, HeddleRefusal } from '../client/index.ts';
import { sanitizeLine } from '../core/text/sanitize.ts';
import { findSimilarTitle, findThreadsByName, type NamedThread } from '../core/threads/view/find.ts';

const FULL_ID = /^[0-9A-Z]{26}$/;
const MAX_LISTED = 5;

/** Finds a thread's id by its id or title, as the terminal does (I8). */
export async function resolveThread(client: Client, name: string): Promise<string> {
  if (FULL_ID.test(name)) return name;
  const { threads } = await client.threads.list({ archived: 'true' });
  const matches = findThreadsByName(threads, name);
  if (matches.length === 1) return (matches[0] as NamedThread).id;
  throw matches.length === 0 ? unknownThread(threads, name) : ambiguousThread(matches, name);
}

function unknownThread(threads: readonly NamedThread[], name: string): HeddleRefusal {
  const similarTitle = findSimilarTitle(threads, name);
  const hint = similarTitle ? `Did you mean "${sanitizeLine(similarTitle)}"?` : '`thread_list` lists them.';
  const message = `There is no thread "${sanitizeLine(name)}". ${hint}`;
  return new HeddleRefusal(404, { code: 'unknown_thread', message });
}

function ambiguousThread(matches: readonly NamedThread[], name: string): HeddleRefusal {
  const options = matches.slice(0, MAX_LISTED).map(({ id, title }) => `${id} ("${sanitizeLine(title)}")`);
  const more = matches.length > MAX_LISTED ? `, and ${matches.length - MAX_LISTED} more` : '';
  const message = `"${sanitizeLine(name)}" matches ${matches.length} threads. Use an ID: ${options.join(', ')}${more}.`;
  return new HeddleRefusal(409, { code: 'conflict', message });
}
