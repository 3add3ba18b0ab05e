import { createMcpHandler } from '@modelcontextprotocol/server';
import { createClient, type Fetch } from '../client/index.ts';
import { createMcpServer } from './server.ts';

/** MCP over HTTP: each request acts as the participant of its token, through the same commands as any other client. */
export function createMcpHttp(fetch: Fetch, version: string) {
  const handler = createMcpHandler(({ authInfo }) =>
    createMcpServer(
      createClient({ url: 'http://127.0.0.1', token: authInfo?.token ?? '', fetch, retryForMs: 0 }),
      version,
    ),
  );
  return {
    /** The caller is already authenticated as `participant`. */
    answer: (request: Request, { token, participant }: { readonly token: string; readonly participant: string }) =>
      handler.fetch(request, { authInfo: { token, clientId: participant, scopes: [] } }),
    close: handler.close,
  };
}
