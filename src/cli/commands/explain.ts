import type { Explained } from '../../client/index.ts';
import { readLink } from '../../core/link.ts';
import { formatMoney } from '../../core/text/money.ts';
import type { Cli } from '../cli.ts';
import { type Declare, examples } from '../command.ts';
import { withClient } from '../connect/client.ts';
import { usage } from '../failure.ts';
import type { Output } from '../output/output.ts';
import { oneLine, visible, wrap } from '../output/text.ts';
import { ago } from '../output/time.ts';

interface Options {
  readonly offset?: string;
  readonly whole?: boolean;
}

export const declare: Declare = (command, start) =>
  command
    .argument('<link>', 'an address of the page, or only its path')
    .option('--offset <n>', 'only this character, counted from 0')
    .option('--whole', 'also all that was shown to the model, and its answer as it came')
    .addHelpText(
      'after',
      examples(
        'heddle explain "/threads/01KA3…#01KA4…"',
        'heddle explain "/dialogue/01KA3…#2.3" --offset 120',
        'heddle explain "http://127.0.0.1:4747/exchange/01KA3…#audit.1" --json',
        'heddle explain "/loom/01KA3…#01KA9…" --whole',
      ),
    )
    .addHelpText(
      'after',
      '\nA link is what the page has in its address and "heddle search" prints. Quote it: # begins a comment.',
    )
    .action((link: string, options: Options) => run(start(), link, options));

async function run(cli: Cli, link: string, { offset, whole = false }: Options): Promise<void> {
  if (offset !== undefined && !/^\d{1,9}$/.test(offset)) throw usage(`"--offset ${offset}" is not a place in a text.`);
  if (!readLink(link)) {
    throw usage(
      `"${link}" is no link. A link looks like /threads/ID#EVENT, /dialogue/ID#2.3, /exchange/ID#audit.1 or /loom/ID#NODE.`,
    );
  }
  const asked = { whole: whole ? 'yes' : 'no', ...(offset !== undefined && { offset: Number(offset) }) } as const;
  const account = await withClient(cli, (client) => client.explain(link, asked));
  if (cli.out.json) return cli.out.value(account);
  print(cli.out, account, Date.now());
}

function print(out: Output, account: Explained, now: number): void {
  const { colors, width } = out;
  const { what, thread, text, at, steps, call, shown, terms, proof } = account;
  const dim = (line: string) => out.line(colors.dim(line));
  const say = (sentence: string, indent = '') => {
    for (const row of wrap(visible(sentence), width - indent.length)) out.line(indent + row);
  };
  const told = (step: Explained['steps'][number], indent = '') => {
    say(step.ts === undefined ? step.what : `${step.what} · ${ago(step.ts, now)}`, indent);
    if (step.link !== undefined && step.link !== account.link) dim(`${indent}  ${step.link}`);
  };

  out.line(`${colors.bold(what)}${colors.dim(` in "${oneLine(thread.title)}"`)}`);
  for (const row of wrap(visible(excerpt(text, at)), width - 2)) out.line(`  ${row}`);
  out.line();
  say(`By ${authorWords(account)}.`);
  for (const step of steps) told(step);
  if (call) {
    out.line();
    say(call.what);
    const figures = figuresOf(call);
    if (figures !== '') say(figures, '  ');
    if (call.raw) dim(`  raw response ${call.raw.hash}`);
  }
  if (shown) {
    out.line();
    say(shown.what);
    for (const piece of shown.pieces) told(piece, '  ');
    if (shown.chars !== undefined && !shown.messages) dim(`  ${shown.chars} characters in all; --whole shows them`);
    for (const message of shown.messages ?? []) {
      out.line(`  ${colors.bold(oneLine(message.role))}`);
      say(message.text, '    ');
    }
    if (call?.response !== undefined) {
      out.line(`  ${colors.bold('the answer, as it came')}`);
      say(call.response, '    ');
    }
  }
  if (terms) {
    out.line();
    say(terms.what);
    if (terms.link !== undefined) dim(`  ${terms.link}`);
    if (terms.hash !== undefined) dim(`  hash ${terms.hash}`);
  }
  out.line();
  say(proof.holds ? proof.what : colors.red(proof.what));
  dim(`  event ${proof.event}, number ${proof.seq}`);
  dim(`  hash ${proof.hash}`);
  for (const { what: other, event, hash } of proof.rests) dim(`  it rests on ${other}: event ${event}, hash ${hash}`);
  for (const check of proof.checks) say(`${check.holds ? '' : 'NOT TRUE: '}${check.what}`, '  ');
}

const AROUND = 200;

/** The text, or what stands around a character, which is marked. */
function excerpt(text: string, at: Explained['at']): string {
  if (!at) return text.length <= 4 * AROUND ? text : `${text.slice(0, 4 * AROUND)} …`;
  const [from, to] = [Math.max(at.from, at.offset - AROUND), Math.min(at.to, at.offset + AROUND)];
  const before = text.slice(Math.max(0, from - AROUND / 2), from);
  return `${before}[${text.slice(from, to)}]${text.slice(to, to + AROUND / 2)}`;
}

function authorWords({ author: { id, kind, model, small } }: Explained): string {
  const by = model === undefined ? '' : `, model "${model}"${small ? ' (small)' : ''}`;
  return `${id === '' ? 'nobody known' : oneLine(id)} (${kind}${by})`;
}

function figuresOf({ usage: used, cost, latency_ms, settings, at }: NonNullable<Explained['call']>): string {
  return [
    ...(at === undefined ? [] : [at]),
    ...(used ? [`${used.prompt} tokens read, ${used.generated} written${used.estimated ? ' (estimated)' : ''}`] : []),
    ...(cost ? [formatMoney(cost)] : []),
    ...(latency_ms === undefined ? [] : [`${(latency_ms / 1000).toFixed(1)} s`]),
    ...Object.entries(settings).map(([name, value]) => `${name} ${[value].flat().join(' ')}`),
  ].join('; ');
}
