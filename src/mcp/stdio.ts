import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Client } from '../client/index.ts';
import { createMcpServer } from './server.ts';

/** MCP over standard input and output, until the client closes it. */
export function serveMcp(client: Client, version: string): Promise<void> {
  return new Promise((resolve) => {
    const handle = serveStdio(() => createMcpServer(client, version));
    process.stdin.once('close', () => void handle.close().then(resolve));
    process.stdin.once('end', () => void handle.close().then(resolve));
  });
}
