import type { FakeModels, FakeRequest } from './fake-models.ts';

/*
 * What a model was sent, as a text to be read and reviewed: the request that arrived at a server on a socket, not what we
 * believe we asked for. Tests compare it as a whole:
 *
 *   await expect(sentText(models.requests[0])).toMatchFileSnapshot('../../../test/sent/dialogue-first.txt');
 *
 * `npx vitest run PATH --update` writes the file again; read the difference before you commit it.
 */
export function sentText(request: FakeRequest | undefined): string {
  if (!request) throw new Error('No such request has arrived.');
  const { messages, system, prompt, suffix, ...settings } = request.body;
  const parts = [`POST ${request.path}`, fields(settings)];
  if (system !== undefined) parts.push(section('system', textIn(system)));
  for (const { role, content } of messages ?? []) parts.push(section(role, textIn(content)));
  if (prompt !== undefined) parts.push(section('prompt', prompt));
  if (suffix !== undefined) parts.push(section('suffix', suffix));
  return `${parts.join('\n')}\n`;
}

/** The texts of one role in the last request, or in the given one. */
export function sentBy(role: 'system' | 'user' | 'assistant', { requests }: FakeModels, index = -1): string {
  const body = requests.at(index)?.body;
  const texts = (body?.messages ?? []).filter((message) => message.role === role).map(({ content }) => textIn(content));
  return [...(role === 'system' && body?.system !== undefined ? [textIn(body.system)] : []), ...texts].join('\n\n');
}

function fields(settings: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(settings).sort();
  return names.map((name) => `${name}: ${JSON.stringify(settings[name])}`).join('\n');
}

function section(name: string, text: string): string {
  return `\n--- ${name}\n${text}`;
}

/** Content may be a string or a list of parts. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as readonly { readonly text?: string }[]).map((part) => part.text ?? JSON.stringify(part)).join('\n');
}
