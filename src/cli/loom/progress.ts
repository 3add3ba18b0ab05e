import type { TerminalOutput } from '../output/output.ts';
import { oneLine, shorten, shortenStart } from '../output/text.ts';

const REDRAW_MS = 100;
const MAX_LINES = 12;
const MAX_CHARS = 400;

/** Shows streaming texts, one line each, on a terminal only; the lines disappear when the texts are complete (I3). */
export function createGenerationProgress(out: TerminalOutput, n: number, budget: string | undefined) {
  const { json, width } = out;
  const { stderr } = process;
  const isShown = stderr.isTTY === true && !json;
  const texts = Array.from({ length: n }, () => '');
  const startedAt = performance.now();
  let characters = 0;
  let lineCount = 0;
  let drawnAt = 0;
  let status = 'Ctrl-C stops and keeps the text so far';

  function add(pieces: readonly (readonly [number, number, string])[]) {
    for (const [choice, , text] of pieces) {
      characters += text.length;
      if (choice < n) texts[choice] = `${texts[choice]}${text}`.slice(-MAX_CHARS);
    }
    if (performance.now() - drawnAt >= REDRAW_MS) draw();
  }

  function draw() {
    if (!isShown) return;
    drawnAt = performance.now();
    const rate = characters / Math.max(0.001, (drawnAt - startedAt) / 1000);
    const lines = texts.slice(0, MAX_LINES).map((text, i) => `${i + 1} ${shortenStart(oneLine(text), width - 4)}`);
    const figures = [`${characters} characters`, `${rate.toFixed(0)}/s`, budget].filter(Boolean).join(', ');
    lines.push(shorten(`${figures} (${status})`, width - 1));
    clear();
    stderr.write(lines.map((line) => `${line}\n`).join(''));
    lineCount = lines.length;
  }

  function clear() {
    if (lineCount > 0) stderr.write(`\x1b[${lineCount}A\r\x1b[J`);
    lineCount = 0;
  }

  function setStatus(text: string) {
    status = text;
    draw();
  }

  /** Prints a permanent line above the texts, even without a terminal. */
  function note(text: string) {
    clear();
    out.note(text);
    draw();
  }

  return { add, setStatus, note, end: clear };
}
