import type { WireAccount } from '../../client/index.ts';
import { parseLink } from '../../core/link.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import type { DeclareCommand } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usageError } from '../failure.ts';
import { parseDigits } from '../input/numbers.ts';
import type { TerminalOutput } from '../output/output.ts';
import { oneLine, sanitize, wrap } from '../output/text.ts';
import { formatAgo } from '../output/time.ts';

interface ExplainCommandOptions {
  readonly offset?: string;
  readonly whole?: boolean;
}

export const declare: DeclareCommand = (command) =>
  command
    .argument('<link>', 'an address on the page, or only its path')
    .option('--offset <n>', 'only this character, counted from 0')
    .option('--whole', 'also show the model’s whole input and its raw answer')
    .examples(
      'heddle explain "/threads/01KA3…#01KA4…"',
      'heddle explain "/dialogue/01KA3…#2.3" --offset 120',
      'heddle explain "http://127.0.0.1:4747/exchange/01KA3…#audit.1" --json',
      'heddle explain "/loom/01KA3…#01KA9…" --whole',
    )
    .footnote(
      'Links are in the page’s address bar and in the output of "heddle search". Quote them: # starts a comment.',
    )
    .run(runExplain);

async function runExplain(cli: Cli, link: string, options: ExplainCommandOptions): Promise<void> {
  const at = options.offset;
  const offset = at === undefined ? undefined : parseDigits(at, `"--offset ${at}" is not a position in a text.`);
  if (!parseLink(link)) {
    throw usageError(
      `"${link}" is not a link. A link looks like /threads/ID#EVENT, /dialogue/ID#2.3, /exchange/ID#audit.1 or /loom/ID#NODE.`,
    );
  }
  const whole = options.whole ? 'yes' : 'no';
  const account = await withClient(cli, (client) => client.explain(link, { whole, offset }));
  if (cli.out.json) return cli.out.value(account);
  print(cli.out, account, Date.now());
}

function print(out: TerminalOutput, account: WireAccount, now: number): void {
  const { colors, width } = out;
  const { what, thread, text, at, steps, call, shown, terms, proof } = account;
  const printDim = (line: string) => out.line(colors.dim(line));
  const printText = (sentence: string, indent = '') => {
    for (const row of wrap(sanitize(sentence), width - indent.length)) out.line(indent + row);
  };
  const printStep = (step: WireAccount['steps'][number], indent = '') => {
    printText(step.ts === undefined ? step.what : `${step.what} · ${formatAgo(step.ts, now)}`, indent);
    if (step.link !== undefined && step.link !== account.link) printDim(`${indent}  ${step.link}`);
  };

  out.line(`${colors.bold(what)}${colors.dim(` in "${oneLine(thread.title)}"`)}`);
  for (const row of wrap(sanitize(excerpt(text, at)), width - 2)) out.line(`  ${row}`);
  out.line();
  printText(`By ${formatAuthor(account)}.`);
  for (const step of steps) printStep(step);
  if (call) {
    out.line();
    printText(call.what);
    const figures = formatFigures(call, out.currency);
    if (figures !== '') printText(figures, '  ');
    if (call.raw) printDim(`  raw response ${call.raw.hash}`);
  }
  if (shown) {
    out.line();
    printText(shown.what);
    for (const piece of shown.pieces) printStep(piece, '  ');
    if (shown.chars !== undefined && !shown.messages)
      printDim(`  ${shown.chars} characters in all; --whole shows them`);
    for (const message of shown.messages ?? []) {
      out.line(`  ${colors.bold(oneLine(message.role))}`);
      printText(message.text, '    ');
    }
    if (call?.response !== undefined) {
      out.line(`  ${colors.bold('raw answer')}`);
      printText(call.response, '    ');
    }
  }
  if (terms) {
    out.line();
    printText(terms.what);
    if (terms.link !== undefined) printDim(`  ${terms.link}`);
    if (terms.hash !== undefined) printDim(`  hash ${terms.hash}`);
  }
  out.line();
  printText(proof.holds ? proof.what : colors.red(proof.what));
  printDim(`  event ${proof.event}, number ${proof.seq}`);
  printDim(`  hash ${proof.hash}`);
  for (const { what: other, event, hash } of proof.rests)
    printDim(`  it rests on ${other}: event ${event}, hash ${hash}`);
  for (const check of proof.checks) printText(`${check.holds ? '' : 'NOT TRUE: '}${check.what}`, '  ');
}

const EXCERPT_CHARS = 200;

/** The whole text, or an excerpt around one marked character. */
function excerpt(text: string, at: WireAccount['at']): string {
  if (!at) return text.length <= 4 * EXCERPT_CHARS ? text : `${text.slice(0, 4 * EXCERPT_CHARS)} …`;
  const [from, to] = [Math.max(at.from, at.offset - EXCERPT_CHARS), Math.min(at.to, at.offset + EXCERPT_CHARS)];
  const before = text.slice(Math.max(0, from - EXCERPT_CHARS / 2), from);
  return `${before}[${text.slice(from, to)}]${text.slice(to, to + EXCERPT_CHARS / 2)}`;
}

function formatAuthor({ author: { id, kind, model, small } }: WireAccount): string {
  const by = model === undefined ? '' : `, model "${model}"${small ? ' (small)' : ''}`;
  return `${id === '' ? 'unknown' : oneLine(id)} (${kind}${by})`;
}

function formatFigures(
  { usage: tokens, cost, latency_ms, settings, at }: NonNullable<WireAccount['call']>,
  currency: string,
): string {
  return [
    ...(at === undefined ? [] : [at]),
    ...(tokens
      ? [`${tokens.prompt} tokens read, ${tokens.generated} written${tokens.estimated ? ' (estimated)' : ''}`]
      : []),
    ...(cost ? [formatMoney(cost, currency)] : []),
    ...(latency_ms === undefined ? [] : [`${(latency_ms / 1000).toFixed(1)} s`]),
    ...Object.entries(settings).map(([name, value]) => `${name} ${[value].flat().join(' ')}`),
  ].join('; ');
}
