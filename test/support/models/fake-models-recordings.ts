import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';

const folder = new URL('../../recordings/models/', import.meta.url);

/** Plays a file of test/recordings/models, with the key of the request where the file says `{key}`. */
export function playRecording(
  name: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  response: ServerResponse,
): void {
  const file = readFileSync(new URL(`${name}.http`, folder), 'utf8');
  const [head, ...rest] = file.split('\n\n');
  const [status, ...lines] = (head as string).split('\n');
  const key = String(headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '');
  for (const line of lines) {
    const colon = line.indexOf(':');
    response.setHeader(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  response.statusCode = Number((status as string).split(' ')[1]);
  response.end(rest.join('\n\n').replaceAll('{key}', key));
}
