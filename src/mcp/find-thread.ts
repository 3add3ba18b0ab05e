import { type Client, HeddleRefusal } from '../client/index.ts';
import { dataLine } from '../core/text/sanitize.ts';
import { closeTitle, type Named, threadsNamed } from '../core/threads/view/find.ts';

const WHOLE_ID = /^[0-9A-Z]{26}$/;
const SHOWN = 5;

/** The id of the thread that is meant, by its id or its title, as in the terminal (I8). */
export async function threadMeant(client: Client, name: string): Promise<string> {
  if (WHOLE_ID.test(name)) return name;
  const { threads } = await client.threads.list();
  const found = threadsNamed(threads, name);
  if (found.length === 1) return (found[0] as Named).id;
  throw found.length === 0 ? unknown(threads, name) : ambiguous(found, name);
}

function unknown(threads: readonly Named[], name: string): HeddleRefusal {
  const close = closeTitle(threads, name);
  const hint = close ? `Did you mean "${dataLine(close)}"?` : '`thread_list` lists them.';
  const message = `There is no thread "${dataLine(name)}". ${hint}`;
  return new HeddleRefusal(404, { code: 'unknown_thread', message });
}

function ambiguous(found: readonly Named[], name: string): HeddleRefusal {
  const choice = found.slice(0, SHOWN).map(({ id, title }) => `${id} ("${dataLine(title)}")`);
  const more = found.length > SHOWN ? `, and ${found.length - SHOWN} more` : '';
  const message = `"${dataLine(name)}" may be any of ${found.length} threads. Use an id: ${choice.join(', ')}${more}.`;
  return new HeddleRefusal(409, { code: 'conflict', message });
}
