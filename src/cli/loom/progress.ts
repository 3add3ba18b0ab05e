import type { Output } from '../output/output.ts';
import { ending, oneLine, shorten } from '../output/text.ts';

const EVERY_MS = 100;
const MOST_LINES = 12;
const KEPT = 400;

/** Texts that grow at once, a line each, on a terminal only; gone when they are complete (I3). */
export function createGrowing(out: Output, n: number, budget: string | undefined) {
  const { json, width } = out;
  const { stderr } = process;
  const shows = stderr.isTTY === true && !json;
  const texts = Array.from({ length: n }, () => '');
  const start = performance.now();
  let characters = 0;
  let drawn = 0;
  let at = 0;
  let said = 'Ctrl-C stops and keeps what came';

  function add(pieces: readonly (readonly [number, number, string])[]) {
    for (const [choice, , text] of pieces) {
      characters += text.length;
      if (choice < n) texts[choice] = `${texts[choice]}${text}`.slice(-KEPT);
    }
    if (performance.now() - at >= EVERY_MS) draw();
  }

  function draw() {
    if (!shows) return;
    at = performance.now();
    const rate = characters / Math.max(0.001, (at - start) / 1000);
    const lines = texts.slice(0, MOST_LINES).map((text, i) => `${i + 1} ${ending(oneLine(text), width - 4)}`);
    const figures = [`${characters} characters`, `${rate.toFixed(0)}/s`, budget].filter(Boolean).join(', ');
    lines.push(shorten(`${figures} (${said})`, width - 1));
    clear();
    stderr.write(lines.map((line) => `${line}\n`).join(''));
    drawn = lines.length;
  }

  function clear() {
    if (drawn > 0) stderr.write(`\x1b[${drawn}A\r\x1b[J`);
    drawn = 0;
  }

  function say(text: string) {
    said = text;
    draw();
  }

  /** A line that stays above the texts, also where there is no terminal. */
  function note(text: string) {
    clear();
    out.note(text);
    draw();
  }

  return { add, say, note, end: clear };
}
