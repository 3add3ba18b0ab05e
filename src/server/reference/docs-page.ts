import { createHash } from 'node:crypto';
import { controlShapes } from '../../core/threads/schema.ts';
import { type Endpoint, endpoints } from '../../protocol/routes.ts';
import { statusByCode } from '../http/errors.ts';
import { escapeHtml } from '../http/escape-html.ts';
import type { HttpResponse } from '../http/request.ts';
import { documentHeaders } from '../http/security.ts';
import { namedSchema, SCHEMA_NAMES, schemaOf } from './openapi.ts';
import { shapeText } from './shape-text.ts';

const STYLE = `
:root { color-scheme: light dark; --ink: #1d1c1a; --paper: #fbfaf7; --faint: #6b675f; --line: #dedad0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #161614; --faint: #a09b90; --line: #35332e } }
body { margin: 0 auto; padding: 2rem 1rem 6rem; max-width: 46rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-weight: 600 } h2 { margin: 2.5rem 0 0; font-size: 1rem } h2 code { font-size: 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: .85rem } pre { white-space: pre-wrap; padding: .75rem; border: 1px solid var(--line) }
p { margin: .25rem 0 .75rem } .who { color: var(--faint) }
table { border-collapse: collapse } td, th { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
nav { columns: 22rem; margin: 1.5rem 0 } nav a { display: block; break-inside: avoid; text-decoration: none } nav code { font-size: .75rem } a { color: inherit }
`;

const ACCESS_TEXT = {
  open: 'No credential needed.',
  participant: 'Needs a credential.',
  human: "Needs a human's credential.",
};

/** The API reference as one page without scripts, generated from the route table (I4). */
export function docsPage(version: string): HttpResponse {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Heddle: HTTP reference</title><style>${STYLE}</style></head><body>
<h1>Heddle ${escapeHtml(version)}: HTTP reference</h1>
<p>JSON in, JSON out. Send <code>Authorization: Bearer TOKEN</code>; <code>heddle token</code> prints one. A command may carry an
<code>Idempotency-Key</code>: sent again with the same body it is answered, not repeated. Cursors are opaque places between events.
The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<nav>${endpoints.map((each) => `<a href="#${anchorOf(each)}"><code>${escapeHtml(each.key)}</code></a>`).join('')}</nav>
<p><a href="#streams">Streams</a>, <a href="#controls">controls</a>, <a href="#shapes">shapes</a>, <a href="#errors">refusals</a></p>
${endpoints.map(routeSection).join('\n')}
<h2 id="streams">Streams</h2>
<p>Server-sent events: <code>id</code> is the cursor, <code>event</code> the type, <code>data</code> the event. What is only true
now (who is typing) comes without an id. After a break, connect with the last id as <code>Last-Event-ID</code> or
<code>?after=</code> and nothing is missing or twice. <code>event: dropped</code> is the last word of a stream the server ends, with the reason.</p>
<h2 id="controls">Controls</h2>
<p>The content of a <code>control</code> has exactly one of these keys.</p>
<pre>${escapeHtml(
    Object.entries(controlShapes)
      .map(([name, shape]) => `${name}: ${shapeText(schemaOf(shape, 'input'))}`)
      .join('\n'),
  )}</pre>
<h2 id="shapes">Shapes</h2>
<p>A question mark: may be left out. An equals sign: what it is then.</p>
<pre>${escapeHtml(SCHEMA_NAMES.map((name) => `${name} = ${shapeText(namedSchema(name))}`).join('\n\n'))}</pre>
<h2 id="errors">Refusals</h2>
<p><code>{"error": {"code", "message", "thread"?, "participant"?, …}}</code></p>
<table><tr><th>status</th><th>code</th></tr>${Object.entries(statusByCode)
    .map(([code, status]) => `<tr><td>${status}</td><td><code>${code}</code></td></tr>`)
    .join('')}</table>
</body></html>
`;
  return { status: 200, body, headers: documentHeaders({ style: hash }) };
}

function routeSection(endpoint: Endpoint): string {
  const { key, summary, access, query, body, upload, response, status } = endpoint;
  const lines = [
    ...(query ? [`query  ${shapeText(schemaOf(query, 'input'))}`] : []),
    ...(body ? [`body   ${shapeText(schemaOf(body, 'input'))}`] : []),
    ...(upload ? [`body   ${upload}`] : []),
    `→ ${status}  ${typeof response === 'string' ? response : shapeText(schemaOf(response, 'output'))}`,
  ];
  return `<h2 id="${anchorOf(endpoint)}"><code>${escapeHtml(key)}</code></h2>
<p>${escapeHtml(summary)} <span class="who">${ACCESS_TEXT[access]}</span></p>
<pre>${escapeHtml(lines.join('\n'))}</pre>`;
}

function anchorOf({ key }: Endpoint): string {
  return key.replace(/[^a-zA-Z]+/g, '-').toLowerCase();
}
