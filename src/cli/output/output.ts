import pico from 'picocolors';
import { DEFAULT_CURRENCY } from '../../core/text/money.ts';
import { withCommandPrefix } from './hints.ts';
import { escapeJson } from './text.ts';

export interface TerminalOutput {
  readonly json: boolean;
  readonly colors: ReturnType<typeof pico.createColors>;
  readonly width: number;
  /** The currency in which money is shown. */
  readonly currency: string;
  /** Text for a person, on standard output. */
  line(text?: string): void;
  lines(texts: Iterable<string>): void;
  /** Resolves when the reader of standard output has room for more. */
  drained(): Promise<void>;
  /** With --json: one document, or one line of a stream. */
  value(value: unknown): void;
  /** With --json the value, otherwise the lines. */
  answer(value: unknown, ...texts: readonly string[]): void;
  /** Writes part of a JSON text; resolves when there is room for more. */
  part(json: string): Promise<void>;
  /** Side information for a person: on standard error, and not with --json. */
  note(text: string): void;
}

/** The part of the output that colours text. */
export type TextStyle = Pick<TerminalOutput, 'colors'>;

const MAX_WIDTH = 100;

/** The reader of our output may stop early (`heddle read … | head`). */
export function exitOnBrokenPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

export function createOutput(json: boolean, currency: string = DEFAULT_CURRENCY): TerminalOutput {
  const { stdout, stderr } = process;
  async function drained() {
    if (stdout.writableNeedDrain) await new Promise((resolve) => stdout.once('drain', resolve));
  }
  function line(text = '') {
    stdout.write(`${text}\n`);
  }
  function lines(texts: Iterable<string>) {
    for (const text of texts) line(text);
  }
  function value(content: unknown) {
    line(escapeJson(JSON.stringify(content)));
  }
  return {
    json,
    colors: pico.createColors(supportsColor(stdout)),
    width: Math.min(stdout.columns || 80, MAX_WIDTH),
    currency,
    line,
    lines,
    value,
    answer: (content, ...texts) => (json ? value(content) : lines(texts)),
    part(text) {
      stdout.write(escapeJson(text));
      return drained();
    },
    drained,
    note: (text) => void (json || stderr.write(`${withCommandPrefix(text)}\n`)),
  };
}

export function supportsColor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}
