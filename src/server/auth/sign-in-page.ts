import { createHash } from 'node:crypto';
import { escapeHtml } from '../http/escape-html.ts';
import { renderPage } from '../http/refusal-page.ts';
import type { HttpResponse } from '../http/request.ts';
import { documentHeaders } from '../http/security.ts';

/** Submits only when the page is visible: browsers prerender pages, and that must not sign anyone in. */
const SCRIPT = `const send = () => document.forms[0].submit();
addEventListener('load', () =>
  document.prerendering ? document.addEventListener('prerenderingchange', send, { once: true }) : send());`;

const HEADERS = documentHeaders({ script: createHash('sha256').update(SCRIPT).digest('base64'), form: true });

/** A form that submits itself; without scripts, by its button. */
export function signInForm({ code, to }: { readonly code: string; readonly to?: string | undefined }): HttpResponse {
  const query = new URLSearchParams({ code, ...(to && { to }) }).toString().replaceAll('&', '&amp;');
  const body = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Heddle</title>
<form method="post" action="/signin?${query}"><p>This link signs this browser in once. <button>Sign in</button></p></form>
<script>${SCRIPT}</script></html>
`;
  return { status: 200, headers: HEADERS, body };
}

/** The page for a link that has expired or was used. */
export function expiredLinkPage(sentence: string, command: string): HttpResponse {
  const body = renderPage(
    'Heddle: sign in',
    'This link no longer works',
    `<p>${sentence} To get a new one, run <code>${escapeHtml(command)}</code> in a terminal and open the link it prints.</p>
<p>If this browser is already signed in, <a href="/">open Heddle</a>.</p>`,
  );
  return { status: 401, headers: { ...documentHeaders(), 'www-authenticate': 'Bearer' }, body };
}
