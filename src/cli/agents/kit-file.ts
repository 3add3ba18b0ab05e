import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { unusablePathError } from '../../workspace/directory.ts';
import { EXIT, Failure } from '../failure.ts';

/** Adds Heddle to a client's configuration file and keeps everything else in it. */
export function writeKitFile(path: string, kind: 'json' | 'toml', command: readonly string[]): void {
  const existing = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeAtomically(path, kind === 'json' ? addToJson(path, existing, command) : addToToml(path, existing, command));
}

function addToJson(path: string, existing: string, [command, ...args]: readonly string[]): string {
  let settings: { mcpServers?: Record<string, unknown> };
  try {
    settings = existing.trim() === '' ? {} : JSON.parse(existing);
  } catch {
    throw new Failure('unreadable', `${path} is not plain JSON, so it was not changed. Use the printed line instead.`);
  }
  const mcpServers = { ...settings.mcpServers, heddle: { command, args } };
  return `${JSON.stringify({ ...settings, mcpServers }, null, 2)}\n`;
}

function addToToml(path: string, existing: string, [command, ...args]: readonly string[]): string {
  if (/^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*"?heddle"?[ \t]*\]/m.test(existing)) {
    const sentence = `${path} already has a server "heddle". Remove it first, or use the printed line.`;
    throw new Failure('exists', sentence, EXIT.refused);
  }
  // Every JSON string is also a valid TOML string.
  const block = `[mcp_servers.heddle]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  return existing.trim() === '' ? block : `${existing.trimEnd()}\n\n${block}`;
}

function writeAtomically(path: string, text: string): void {
  const temporaryFile = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporaryFile, text, { mode: 0o600 });
    renameSync(temporaryFile, path);
  } catch (error) {
    throw unusablePathError(path, error);
  }
}
