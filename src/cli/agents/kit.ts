import { PRIMER } from '../../mcp/server.ts';

/** Connects a client program to this workspace: a shell line to run, or a configuration file instead. */
export interface Kit {
  readonly client: KitClient;
  /** One line for a shell. */
  readonly line: string;
  readonly file?: { readonly path: string; readonly kind: 'json' | 'toml' };
}

export type KitClient = 'claude' | 'codex' | 'gemini' | 'http' | 'environment';
export const kitClients: readonly KitClient[] = ['claude', 'codex', 'gemini', 'http', 'environment'];

export interface KitLocation {
  /** The command that starts `heddle mcp …` on this machine: program and arguments. */
  readonly mcp: readonly string[];
  readonly workspace: string;
  readonly tokenFile: string;
  /** The server's address, if one is running. */
  readonly url?: string;
}

/** Neither the line nor the file contains the token. They name the token file, which only its owner can read. */
export function kitFor(client: KitClient, { mcp, workspace, tokenFile, url }: KitLocation): Kit {
  const command = mcp.map(shellQuote).join(' ');
  switch (client) {
    case 'claude':
      return { client, line: `claude mcp add heddle -- ${command}`, file: { path: '.mcp.json', kind: 'json' } };
    case 'codex':
      return { client, line: `codex mcp add heddle -- ${command}`, file: { path: '.codex/config.toml', kind: 'toml' } };
    case 'gemini':
      return {
        client,
        line: `gemini mcp add heddle ${command}`,
        file: { path: '.gemini/settings.json', kind: 'json' },
      };
    case 'http': {
      const baseUrl = url ?? 'http://127.0.0.1:4747';
      return { client, line: `${baseUrl}/mcp with the header "Authorization: Bearer $(cat ${shellQuote(tokenFile)})"` };
    }
    case 'environment':
      return {
        client,
        line: `export HEDDLE_WORKSPACE=${shellQuote(workspace)} HEDDLE_TOKEN="$(cat ${shellQuote(tokenFile)})"`,
      };
  }
}

/** The instructions for an agent that has joined a thread. */
export function primerFor(thread: string, participant: string): string {
  return `${PRIMER}\n\nYou are ${participant}. Join the thread ${thread} and take part in it.`;
}

function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
