import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { signInForm, usedLinkPage } from '../auth/sign-in-page.ts';
import type { Handlers } from '../http/edge.ts';
import { wantsPage } from '../http/refusal-page.ts';
import type { Inbound, Reply } from '../http/request.ts';
import { documentHeaders, sessionCookie } from '../http/security.ts';
import { isId, type Parts } from './context.ts';

type AccessRoutes = Pick<
  Handlers,
  | 'GET /api/me'
  | 'GET /api/credentials'
  | 'POST /api/credentials'
  | 'DELETE /api/credentials/:credential'
  | 'POST /api/signin-links'
  | 'GET /signin'
  | 'POST /signin'
>;

export function accessRoutes({ credentials, workspace, version, secureCookies }: Parts): AccessRoutes {
  return {
    'GET /api/me': ({ session }) => JSON.stringify({ me: session.credential, workspace, version }),

    'GET /api/credentials': async () => JSON.stringify({ credentials: await credentials.list() }),

    async 'POST /api/credentials'({ body, session }) {
      const issued = await credentials.issue(body.participant, body.kind, body.new, session.actor.id);
      return isRefusal(issued) ? issued : JSON.stringify(issued);
    },

    async 'DELETE /api/credentials/:credential'({ params }) {
      const revoked = isId(params.credential) ? await credentials.revoke(params.credential) : undefined;
      if (revoked) return JSON.stringify({ credential: revoked });
      return refuse('unknown_credential', 'There is no such credential; it may have been revoked already.');
    },

    'POST /api/signin-links'({ inbound, session }) {
      const { code, expires } = credentials.signInCode(session.credential);
      const scheme = secureCookies ? 'https' : 'http';
      return JSON.stringify({ url: `${scheme}://${inbound.host()}/signin?code=${code}`, expires });
    },

    /** Programs follow links to show what is behind them, so this uses nothing up. */
    'GET /signin': ({ inbound, query }) =>
      credentials.isSignInCode(query.code) ? signInForm(query) : usedLink(inbound),

    async 'POST /signin'({ inbound, query }) {
      const issued = await credentials.redeem(query.code);
      if (!issued) return usedLink(inbound);
      // Not a redirect: after one from elsewhere a browser would not send a SameSite=Strict cookie.
      const headers = {
        ...documentHeaders(),
        'content-type': 'text/html; charset=utf-8',
        'set-cookie': sessionCookie(inbound.host(), issued.token, secureCookies),
      };
      return { status: 200, headers, body: signedIn(query.to === 'tour' ? '/#tour' : '/') };
    },
  };
}

const USED = 'This sign-in link was used already, or is older than ten minutes.';

/** A person sees a page; a program gets the error. */
function usedLink(inbound: Inbound): Refusal | Reply {
  if (wantsPage(inbound)) return usedLinkPage(USED);
  return refuse('unauthenticated', `${USED} "heddle token --link" prints a new one.`);
}

function signedIn(to: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Heddle</title><meta http-equiv="refresh" content="0; url=${to}">
<p>Signed in. <a href="${to}">Go on to the page</a>.</p></html>
`;
}
