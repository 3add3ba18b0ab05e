import { describeWriter, type PathText, type PathWriter, splitByWriter, toOneLine } from './path-text.ts';

/**
 * Writes one page without scripts or external resources. Each writer has a
 * number and an underline style as well as a colour.
 */
export function writeHtml(path: PathText): string {
  const { parts, writers } = splitByWriter(path);
  const title = escapeHtml(toOneLine(path.title));
  const legend = writers.map(
    (writer) =>
      `<li><span class="${classOf(writer)}"><bdi>${escapeHtml(toOneLine(writer.label))}</bdi></span><sup>${writer.number}</sup> ${describeWriter(writer)}</li>`,
  );
  const body = parts.map(({ text, writer }) => {
    const label = escapeHtml(`${toOneLine(writer.label)} (${writer.kind})`);
    return `<span class="${classOf(writer)}" data-n="${writer.number}" title="${label}">${escapeHtml(text)}</span>`;
  });
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
${STYLE}
</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
<section aria-label="Who wrote what">
<ul>
${legend.join('\n')}
</ul>
</section>
<main dir="auto">${body.join('')}</main>
</body>
</html>
`;
}

const UNDERLINES = ['solid', 'dotted', 'dashed', 'double', 'wavy'];
const COLOURS = 7;
const STYLE = [
  ':root { color-scheme: light dark; --text: light-dark(#1d1d1f, #e8e6e3); --ground: light-dark(#fdfcfa, #17181a); }',
  'body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.65 Georgia, serif; color: var(--text); background: var(--ground); }',
  'h1 { font-size: 1.5rem; line-height: 1.25; }',
  'section { font: 0.85rem/1.5 system-ui, sans-serif; border-block: 1px solid color-mix(in srgb, var(--text) 25%, transparent); margin-block: 1rem; }',
  'ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }',
  'main { white-space: pre-wrap; overflow-wrap: anywhere; }',
  'main span::after { content: attr(data-n); font: 0.6em system-ui, sans-serif; vertical-align: super; opacity: 0.75; user-select: none; }',
  '.human, .unknown { color: var(--text); }',
  '.imported { color: var(--text); text-decoration: underline dotted; text-underline-offset: 0.25em; }',
  '.unknown { font-style: italic; }',
  '.model { text-decoration-line: underline; text-decoration-thickness: 1px; text-underline-offset: 0.25em; }',
  ...UNDERLINES.map((line, index) => `.u${index} { text-decoration-style: ${line}; }`),
  ...[
    '#0a58ca,#8ab4f8',
    '#8a3ffc,#c8a6ff',
    '#0f6b4f,#6fd3ad',
    '#a3361b,#ff9b80',
    '#80590b,#e3bd63',
    '#9c1f63,#ff8cc6',
    '#3c5a66,#9fc3d1',
  ].map((pair, index) => `.c${index} { color: light-dark(${pair}); }`),
].join('\n');

function classOf({ kind, number }: PathWriter): string {
  return kind === 'model' ? `model u${(number - 1) % UNDERLINES.length} c${(number - 1) % COLOURS}` : kind;
}

function escapeHtml(text: string): string {
  return (
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;')
      // HTML has no character for these; \r would become \n.
      .replaceAll('\0', '\ufffd')
      .replaceAll('\r', '&#13;')
  );
}
