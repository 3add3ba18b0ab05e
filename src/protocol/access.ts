import { z } from 'zod';
import { credential, currency, newCredential } from './wire.ts';

const signInQuery = z.strictObject({
  code: z.string().max(200),
  to: z.enum(['tour']).optional().describe('Starts the page with its tour.'),
});

/** Routes for credentials and sign-in. */
export const accessRoutes = {
  'GET /api/me': {
    summary: 'Returns the participant and the workspace of the credential.',
    access: 'participant',
    status: 200,
    response: z.object({
      me: credential,
      workspace: z.string(),
      version: z.string(),
      currency,
      address: z.string().optional().describe('Where other devices reach this server, if they can.'),
    }),
  },
  'GET /api/credentials': {
    summary: 'Lists the credentials of the workspace, without their tokens.',
    access: 'human',
    status: 200,
    response: z.object({ credentials: z.array(credential) }),
  },
  'POST /api/credentials': {
    summary:
      'Returns a token that acts as a participant: the same one each time, until you revoke it or ask for a new one.',
    access: 'human',
    status: 201,
    body: newCredential,
    response: z.object({ token: z.string(), credential: credential }),
  },
  'DELETE /api/credentials/:credential': {
    summary: 'Revokes a credential: its sessions, streams and waits end, and its next request is refused.',
    access: 'human',
    status: 200,
    response: z.object({ credential: credential }),
  },
  'POST /api/signin-links': {
    summary: 'Creates a link that signs a browser in as the caller: once, within ten minutes.',
    access: 'human',
    status: 201,
    body: z.strictObject({}),
    response: z.object({ url: z.string(), expires: z.string() }),
  },
  'GET /signin': {
    summary:
      'The page behind a sign-in link: a form that submits itself, or by its button. Loading it does not use up the link.',
    access: 'open',
    status: 200,
    query: signInQuery,
    response: 'text/html',
  },
  'POST /signin': {
    summary: 'Uses up a sign-in link: sets the session cookie and redirects to the page.',
    access: 'open',
    status: 200,
    query: signInQuery,
    response: 'text/html',
  },
} as const;
