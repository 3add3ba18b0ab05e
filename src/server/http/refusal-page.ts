import type { RefusalDetail } from '../../core/refusal.ts';
import { statusByCode } from './errors.ts';
import { escapeHtml } from './escape-html.ts';
import type { HttpResponse, InboundRequest } from './request.ts';
import { documentHeaders } from './security.ts';

/** Whether a browser is opening a page, as opposed to a program that fetches data. */
export function wantsHtml(inbound: InboundRequest): boolean {
  return inbound.header('accept')?.includes('text/html') ?? false;
}

/** A refusal as a page, for a person who opened `path`. */
export function refusalPage({ code, message }: RefusalDetail, path: string, signInCommand: string): HttpResponse {
  const isSignedOut = code === 'unauthenticated';
  const body = isSignedOut
    ? signInPage(path, signInCommand)
    : renderPage('Heddle', 'This page cannot be shown', `<p>${escapeHtml(message)}</p>`);
  return { status: statusByCode[code], headers: documentHeaders(), body };
}

/** A browser sends no cookie when it follows a link from another site. The page's own link sends it. */
function signInPage(path: string, command: string): string {
  return renderPage(
    'Heddle: sign in',
    'This browser is not signed in',
    `<p>In a terminal, run <code>${escapeHtml(command)}</code> and open the link it prints. Then come back to this page.</p>
<p>If this browser is already signed in, <a href="${escapeHtml(path)}">open this page again</a>.</p>`,
  );
}

export function renderPage(title: string, heading: string, body: string): string {
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<h1>${heading}</h1>
${body}</html>
`;
}
