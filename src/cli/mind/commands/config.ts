import { readFileSync } from 'node:fs';
import { type Config, DEFAULTS } from '../../../core/dialogue/config.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../declare.ts';
import { usage } from '../../failure.ts';
import { table } from '../../table.ts';
import { oneLine } from '../../text.ts';
import { withDialogue } from '../reading.ts';
import { answer, send } from '../sending.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('[settings...]', 'key=value; "none" for no value, prompt=@FILE for a text from a file')
    .addHelpText(
      'after',
      examples(
        'mind config',
        'mind config model=chat auto_accept=5',
        'mind config budget.money=0.5 budget.iterations=40',
        'mind config auto_accept=none budget=none',
      ),
    )
    .action((pairs: string[]) => (pairs.length === 0 ? show(start()) : change(start(), pairs)));

function show(cli: Cli): Promise<void> {
  const { out } = cli;
  return withDialogue(cli, ({ dialogue: { config } }) => {
    if (out.json) return out.value({ config });
    const rows = Object.entries(config).map(([key, value]) => [
      key,
      words(value),
      isUsual(key, value) ? 'as usual' : '',
    ]);
    for (const line of table(rows, out.width, (cell, column) => (column === 1 ? cell : out.colors.dim(cell))))
      out.line(line);
  });
}

async function change(cli: Cli, pairs: readonly string[]): Promise<void> {
  const before = await withDialogue(cli, ({ dialogue }) => dialogue.config);
  const set: Record<string, unknown> = {};
  for (const pair of pairs) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    if (key === '') throw usage(`"${pair}" should be key=value. "mind config" shows the keys.`);
    const part = /^budget\.(.+)$/.exec(key)?.[1];
    if (part === undefined) set[key] = parsed(key, value);
    else set.budget = withPart((set.budget ?? before.budget) as object, part, parsed(key, value));
  }
  const done = await send(cli, 'configure', { set });
  answer(
    cli,
    done,
    Object.entries(set)
      .map(([key, value]) => `${key} is ${words(value)} now.`)
      .join('\n'),
  );
}

const TEXTS = ['model', 'self', 'prompt'];

/** What is not meant for a number stays as it was typed: the core says what it thinks of it. */
function parsed(key: string, text: string): unknown {
  if (text === 'none' || text === 'null' || text === 'off') return key === 'budget' ? {} : null;
  if (TEXTS.includes(key)) return key === 'prompt' && text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function withPart(budget: object, part: string, value: unknown): object {
  const rest = Object.entries(budget).filter(([key]) => key !== part);
  return Object.fromEntries(value === null ? rest : [...rest, [part, value]]);
}

function words(value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return oneLine(value);
  if (typeof value !== 'object') return String(value);
  const parts = Object.entries(value);
  return parts.length === 0 ? 'none' : parts.map(([key, part]) => `${part} ${key}`).join(', ');
}

function isUsual(key: string, value: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(DEFAULTS[key as keyof Config]);
}
