import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts';
import { expiredLinkPage, signInForm } from '../auth/sign-in-page.ts';
import type { RouteHandlers } from '../http/edge.ts';
import { wantsHtml } from '../http/refusal-page.ts';
import type { HttpResponse, InboundRequest } from '../http/request.ts';
import { documentHeaders, sessionCookie } from '../http/security.ts';
import { isId, type RouteContext } from './context.ts';

export function accessHandlers(context: RouteContext) {
  const { credentials, workspace, version, secureCookies, signInCommand, publicAddress, models } = context;
  return {
    'GET /api/me': ({ session }) =>
      JSON.stringify({
        me: session.credential,
        workspace,
        version,
        currency: models.registry.currency(),
        address: publicAddress(),
      }),

    'GET /api/credentials': async () => JSON.stringify({ credentials: await credentials.list() }),

    async 'POST /api/credentials'({ body, session }) {
      const result = await credentials.issue(body.participant, body.kind, body.new, session.actor.id);
      return isRefusal(result) ? result : JSON.stringify(result);
    },

    async 'DELETE /api/credentials/:credential'({ params }) {
      const revokedCredential = isId(params.credential) ? await credentials.revoke(params.credential) : undefined;
      if (revokedCredential) return JSON.stringify({ credential: revokedCredential });
      return refuse('unknown_credential', 'There is no such credential; it may already have been revoked.');
    },

    'POST /api/signin-links'({ inbound, session }) {
      const { code, expires } = credentials.signInCode(session.credential);
      const scheme = secureCookies ? 'https' : 'http';
      return JSON.stringify({ url: `${scheme}://${inbound.host()}/signin?code=${code}`, expires });
    },

    /** Link previews fetch this address, so it does not use up the code. */
    'GET /signin': ({ inbound, query }) =>
      credentials.isSignInCode(query.code) ? signInForm(query) : expiredLink(inbound, signInCommand),

    async 'POST /signin'({ inbound, query }) {
      const session = await credentials.redeem(query.code);
      if (!session) return expiredLink(inbound, signInCommand);
      // Not a redirect: after one from elsewhere a browser would not send a SameSite=Strict cookie.
      const cookie = sessionCookie(inbound.host(), session.token, secureCookies);
      const headers = { ...documentHeaders(), 'set-cookie': cookie };
      return { status: 200, headers, body: signedInPage(query.to === 'tour' ? '/#tour' : '/') };
    },
  } satisfies Partial<RouteHandlers>;
}

const EXPIRED_LINK = 'This sign-in link was already used, or is older than ten minutes.';

/** A person sees a page; a program gets the error. */
function expiredLink(inbound: InboundRequest, command: string): Refusal | HttpResponse {
  if (wantsHtml(inbound)) return expiredLinkPage(EXPIRED_LINK, command);
  return refuse('unauthenticated', `${EXPIRED_LINK} "${command}" prints a new one.`);
}

function signedInPage(target: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Heddle</title><meta http-equiv="refresh" content="0; url=${target}">
<p>Signed in. <a href="${target}">Open the page</a>.</p></html>
`;
}
