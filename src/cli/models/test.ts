import { HeddleRefusal, type ModelTestResult } from '../../client/index.ts';
import { formatNumber } from '../../core/text/format-number.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { withClient } from '../connect/client.ts';
import { Failure } from '../failure.ts';
import { parseInteger } from '../input/numbers.ts';
import { formatPercent } from '../output/figures.ts';
import type { TerminalOutput } from '../output/output.ts';
import { interruptSignal, withStopMessage } from '../output/progress.ts';
import { oneLine, sanitize, widthOf, wrap } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';
import { parseExtra } from './fields.ts';

export interface ModelTestCommandOptions {
  readonly prompt?: string;
  readonly tokens: string;
  readonly seed?: string;
  readonly extra?: string;
}

type ModelTestChoice = ModelTestResult['choices'][number];
type ModelTestToken = ModelTestChoice['tokens'][number];

const INDENT = '   ';

export async function testModel(
  cli: Cli,
  name: string,
  { prompt, tokens, seed, extra }: ModelTestCommandOptions,
): Promise<void> {
  const { out } = cli;
  const signal = interruptSignal();
  const request = {
    max_tokens: parseInteger('--tokens', tokens),
    ...(prompt !== undefined && { prompt }),
    ...(seed !== undefined && { seed: parseInteger('--seed', seed) }),
    ...(extra !== undefined && { extra: parseExtra(extra) }),
  };
  out.note(`Asking ${oneLine(name)} for three texts (Ctrl-C stops).`);
  const texts: string[] = [];
  const onText = (choice: number, text: string) => {
    while (texts.length <= choice) texts.push('');
    texts[choice] += text;
  };
  const pendingTest = withClient(cli, (client) => client.models.test(name, request, { signal, onText }));
  const result = await withStopMessage(pendingTest, 'Stopped. Tokens used so far were counted.').catch((error) => {
    if (out.json) throw withTexts(error, texts);
    showPartialTexts(out, texts);
    if (error instanceof HeddleRefusal) showOffered(out, error.details.offered);
    throw error;
  });
  if (out.json) return out.value(result);
  show(out, result);
}

function show(out: TerminalOutput, result: ModelTestResult): void {
  const { model, label, prompt, kind, choices, usage: tokenUsage, cost, latency, found, offered } = result;
  const { dim, bold } = out.colors;
  const what = kind === 'answer' ? 'answers' : 'continues';
  out.line(`${bold(model)}${label ? ', a small model,' : ''} ${what} ${dim(`“${oneLine(prompt)}”`)}`);
  choices.forEach((choice, i) => {
    out.line();
    showText(out, i, choice.text);
    for (const line of probabilityLines(choice.tokens, out.width - INDENT.length)) out.line(INDENT + dim(line));
  });
  out.line();
  const seconds = formatDuration(latency.totalMs / 1000);
  const first = latency.firstTokenMs === undefined ? '' : `, the first after ${latency.firstTokenMs} ms`;
  const price = cost > 0 ? `, ${formatMoney(cost, out.currency)}` : '';
  const approximation = tokenUsage.estimated ? 'about ' : '';
  out.line(
    dim(
      `${approximation}${formatNumber(tokenUsage.promptTokens)} tokens read, ${formatNumber(tokenUsage.generatedTokens)} written in ${seconds}${first}${price}`,
    ),
  );
  for (const sentence of found) out.line(dim(sentence));
  showOffered(out, offered);
}

function showText(out: TerminalOutput, choice: number, text: string): void {
  const lines = wrap(sanitize(text).trim() || '(nothing)', out.width - INDENT.length);
  for (const [at, line] of lines.entries()) out.line(`${at === 0 ? `${choice + 1}  ` : INDENT}${line}`);
}

/** Shows texts that were written, and paid for, before another call failed. */
function showPartialTexts(out: TerminalOutput, texts: readonly string[]): void {
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

const MAX_OFFERED = 20;

function showOffered(out: TerminalOutput, offered: unknown): void {
  if (!Array.isArray(offered) || offered.length === 0) return;
  const more = offered.length > MAX_OFFERED ? ` and ${offered.length - MAX_OFFERED} more (--json lists all)` : '';
  const names = offered.slice(0, MAX_OFFERED).map((name) => oneLine(String(name)));
  for (const line of wrap(`The server offers: ${names.join(', ')}${more}.`, out.width)) out.note(line);
}

/** Each token with its probability, and the alternatives to the least likely one. */
function probabilityLines(tokens: readonly ModelTestToken[], width: number): readonly string[] {
  if (tokens.length === 0) return [];
  const lines: string[] = [];
  let line = '';
  for (const token of tokens) {
    const cell = `${tokenLabel(token.text)} ${formatPercent(token.probability)}`;
    if (line !== '' && widthOf(line) + 3 + widthOf(cell) > width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? cell : ` · ${cell}`;
  }
  const leastLikely = tokens.reduce((a, b) => (b.probability < a.probability ? b : a));
  const others = leastLikely.alternatives.filter(({ text }) => text !== leastLikely.text).slice(0, 3);
  const alternatives = others
    .map(({ text, probability }) => `${tokenLabel(text)} ${formatPercent(probability)}`)
    .join(', ');
  const surprise = `least likely: ${tokenLabel(leastLikely.text)} ${formatPercent(leastLikely.probability)}; likelier there: ${alternatives}`;
  return [...lines, line, ...(others.length > 0 ? wrap(surprise, width) : [])];
}

function tokenLabel(text: string): string {
  return sanitize(text).replaceAll('\n', '↵').trim() || '␣';
}
