import { HeddleRefusal, type ModelTested } from '../../client/index.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { Failure, usage } from '../failure.ts';
import { count, percent } from '../output/figures.ts';
import type { Output } from '../output/output.ts';
import { orStopped, untilInterrupted } from '../output/progress.ts';
import { oneLine, visible, widthOf, wrap } from '../output/text.ts';
import { duration } from '../output/time.ts';
import { extraIn } from './fields.ts';

export interface TestOptions {
  readonly prompt?: string;
  readonly tokens: string;
  readonly seed?: string;
  readonly extra?: string;
}

type Choice = ModelTested['choices'][number];
type Token = Choice['tokens'][number];

const INDENT = '   ';

export async function test(cli: Cli, name: string, { prompt, tokens, seed, extra }: TestOptions): Promise<void> {
  const { out } = cli;
  const signal = untilInterrupted();
  const wish = {
    max_tokens: whole('--tokens', tokens),
    ...(prompt !== undefined && { prompt }),
    ...(seed !== undefined && { seed: whole('--seed', seed) }),
    ...(extra !== undefined && { extra: extraIn(extra) }),
  };
  out.note(`Asking ${oneLine(name)} for three texts (Ctrl-C stops).`);
  const came: string[] = [];
  const onText = (choice: number, text: string) => {
    while (came.length <= choice) came.push('');
    came[choice] += text;
  };
  const asking = withClient(cli, (client) => client.models.test(name, wish, { signal, onText }));
  const tested = await orStopped(asking, 'Stopped. What had come was counted.').catch((error) => {
    if (out.json) throw withTexts(error, came);
    showCame(out, came);
    if (error instanceof HeddleRefusal) showOffered(out, error.details.offered);
    throw error;
  });
  if (out.json) return out.value(tested);
  show(out, tested);
}

function show(out: Output, tested: ModelTested): void {
  const { model, label, prompt, kind, choices, usage: used, cost, latency, found, offered } = tested;
  const { dim, bold } = out.colors;
  const what = kind === 'answer' ? 'answers' : 'goes on from';
  out.line(`${bold(model)}${label ? ', a small model,' : ''} ${what} ${dim(`“${oneLine(prompt)}”`)}`);
  choices.forEach((choice, i) => {
    out.line();
    showText(out, i, choice.text);
    for (const line of probabilities(choice.tokens, out.width - INDENT.length)) out.line(INDENT + dim(line));
  });
  out.line();
  const seconds = duration(latency.totalMs / 1000);
  const first = latency.firstTokenMs === undefined ? '' : `, the first after ${latency.firstTokenMs} ms`;
  const price = cost > 0 ? `, ${formatMoney(cost)}` : '';
  const guessed = used.estimated ? 'about ' : '';
  out.line(
    dim(
      `${guessed}${count(used.promptTokens)} tokens read, ${count(used.generatedTokens)} written in ${seconds}${first}${price}`,
    ),
  );
  for (const sentence of found) out.line(dim(sentence));
  showOffered(out, offered);
}

function showText(out: Output, choice: number, text: string): void {
  const lines = wrap(visible(text).trim() || '(nothing)', out.width - INDENT.length);
  for (const [at, line] of lines.entries()) out.line(`${at === 0 ? `${choice + 1}  ` : INDENT}${line}`);
}

/** What was written, and paid for, before another of the calls failed. */
function showCame(out: Output, texts: readonly string[]): void {
  for (const [choice, text] of texts.entries()) {
    if (text === '') continue;
    showText(out, choice, text);
    out.line();
  }
}

function withTexts(error: unknown, texts: readonly string[]): unknown {
  if (texts.length === 0) return error;
  if (error instanceof HeddleRefusal) return new HeddleRefusal(error.status, { ...error.details, texts });
  if (error instanceof Failure) return new Failure(error.code, error.message, error.exit, { ...error.details, texts });
  return error;
}

const MOST_OFFERED = 20;

function showOffered(out: Output, offered: unknown): void {
  if (!Array.isArray(offered) || offered.length === 0) return;
  const more = offered.length > MOST_OFFERED ? ` and ${offered.length - MOST_OFFERED} more (--json lists all)` : '';
  const names = offered.slice(0, MOST_OFFERED).map((name) => oneLine(String(name)));
  for (const line of wrap(`The server offers: ${names.join(', ')}${more}.`, out.width)) out.note(line);
}

/** Each token with how likely it was, and of the least likely one what else it could have been. */
function probabilities(tokens: readonly Token[], width: number): readonly string[] {
  if (tokens.length === 0) return [];
  const lines: string[] = [];
  let line = '';
  for (const token of tokens) {
    const cell = `${word(token.text)} ${percent(token.probability)}`;
    if (line !== '' && widthOf(line) + 3 + widthOf(cell) > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? cell : ` · ${cell}`;
  }
  const least = tokens.reduce((a, b) => (b.probability < a.probability ? b : a));
  const others = least.alternatives.filter(({ text }) => text !== least.text).slice(0, 3);
  const instead = others.map(({ text, probability }) => `${word(text)} ${percent(probability)}`).join(', ');
  const surprise = `least likely: ${word(least.text)} ${percent(least.probability)}; likelier there: ${instead}`;
  return [...lines, line, ...(others.length > 0 ? wrap(surprise, width) : [])];
}

function word(text: string): string {
  return visible(text).replaceAll('\n', '↵').trim() || '␣';
}

function whole(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw usage(`"${option} ${text}" should be a whole number.`);
}
