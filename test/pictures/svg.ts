/** What a terminal showed, with its colours as it writes them, and for how long. */
export interface Frame {
  readonly screen: string;
  readonly seconds: number;
}

interface Look {
  readonly columns: number;
  readonly lines: number;
  /** What is typed and printed, as text. */
  readonly transcript: string;
}

const CELL = { width: 7.8, height: 18 };
const EDGE = 16;
const INKS: Readonly<Record<string, string>> = {
  31: '#b3401f',
  32: '#2f6b1a',
  33: '#7a5a1e',
  34: '#376ec7',
  35: '#7b3f8c',
  36: '#346979',
  90: '#66635d',
};

/** Frames one after the other, for ever; all drawn by the browser, without a script. */
export function svgOf(frames: readonly Frame[], { columns, lines, transcript }: Look): string {
  const width = Math.round(columns * CELL.width + 2 * EDGE);
  const height = lines * CELL.height + 2 * EDGE;
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let at = 0;
  const drawn = frames.map(({ screen, seconds }) => {
    const [from, to] = [at / total, (at + seconds) / total].map((part) => part.toFixed(4));
    at += seconds;
    const times = from === '0.0000' ? `0;${to}` : `0;${from};${to}`;
    const shown = from === '0.0000' ? 'inline;none' : 'none;inline;none';
    return `<g display="none"><animate attributeName="display" calcMode="discrete" dur="${total.toFixed(1)}s" repeatCount="indefinite" keyTimes="${times}" values="${shown}"/>${textOf(screen)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    '<title>Heddle in a terminal: a loom with three continuations, a dialogue with an accepted draft</title>',
    `<desc>${escaped(transcript)}</desc>`,
    `<style>text{font:13px ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono","Liberation Mono",monospace;fill:#1d1c1a;white-space:pre}</style>`,
    `<rect width="${width}" height="${height}" rx="6" fill="#fbfaf7" stroke="#e2dfd7"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}

function textOf(screen: string): string {
  const rows = screen.trimEnd().split('\n');
  let style: Style = {};
  return rows
    .map((row, index) => {
      const parts: string[] = [];
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals write colours
      for (const [, codes, text = ''] of row.matchAll(/(?:\x1b\[([\d;]*)m)?([^\x1b]*)/g)) {
        if (codes !== undefined) style = styled(style, codes);
        if (text !== '') parts.push(spanOf(text, style));
      }
      const y = EDGE + (index + 0.75) * CELL.height;
      return parts.length === 0 ? '' : `<text x="${EDGE}" y="${y}" xml:space="preserve">${parts.join('')}</text>`;
    })
    .join('');
}

interface Style {
  readonly bold?: true;
  readonly dim?: true;
  readonly ink?: string;
}

function styled(before: Style, codes: string): Style {
  let style = before;
  for (const code of (codes || '0').split(';')) style = after(style, code);
  return style;
}

function after(style: Style, code: string): Style {
  const { ink, ...weight } = style;
  if (code === '0') return {};
  if (code === '1') return { ...style, bold: true };
  if (code === '2') return { ...style, dim: true };
  if (code === '22') return ink ? { ink } : {};
  if (code === '39') return weight;
  const next = INKS[code];
  return next ? { ...weight, ink: next } : style;
}

function spanOf(text: string, { bold, dim, ink }: Style): string {
  const fill = ink ?? (dim ? '#66635d' : undefined);
  const marks = `${bold ? ' font-weight="600"' : ''}${fill ? ` fill="${fill}"` : ''}`;
  return marks === '' ? escaped(text) : `<tspan${marks}>${escaped(text)}</tspan>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
