import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { unusable } from '../../workspace/directory.ts';
import { EXIT, Failure } from '../failure.ts';

/** Writes Heddle into a client's file; whatever else stands there stays. */
export function writeKitFile(path: string, kind: 'json' | 'toml', command: readonly string[]): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  write(path, kind === 'json' ? inJson(path, before, command) : inToml(path, before, command));
}

function inJson(path: string, before: string, [command, ...args]: readonly string[]): string {
  let settings: { mcpServers?: Record<string, unknown> };
  try {
    settings = before.trim() === '' ? {} : JSON.parse(before);
  } catch {
    throw new Failure(
      'unreadable',
      `${path} is not plain JSON, so it was left as it is. Use the printed line instead.`,
    );
  }
  const mcpServers = { ...settings.mcpServers, heddle: { command, args } };
  return `${JSON.stringify({ ...settings, mcpServers }, null, 2)}\n`;
}

function inToml(path: string, before: string, [command, ...args]: readonly string[]): string {
  if (/^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*"?heddle"?[ \t]*\]/m.test(before)) {
    const sentence = `${path} has a server "heddle" already. Take it out first, or use the printed line.`;
    throw new Failure('exists', sentence, EXIT.refused);
  }
  // Strings of JSON are strings of TOML.
  const block = `[mcp_servers.heddle]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  return before.trim() === '' ? block : `${before.trimEnd()}\n\n${block}`;
}

function write(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    throw unusable(path, error);
  }
}
