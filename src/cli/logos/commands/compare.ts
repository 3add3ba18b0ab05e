import { type Comparison, compare as compareTwo } from '../../../core/exchange/branches/compare.ts';
import { type Exchange, termsNow } from '../../../core/exchange/state.ts';
import { TEXTS } from '../../../core/exchange/terms/terms.ts';
import type { Cli } from '../../cli.ts';
import { type Declare, examples } from '../../command.ts';
import { withLog } from '../../connect/client.ts';
import { settingWords } from '../../input/pairs.ts';
import { counted } from '../../output/numbers.ts';
import type { Output } from '../../output/output.ts';
import { table } from '../../output/table.ts';
import { oneLine, shorten } from '../../output/text.ts';
import { sparkline } from '../charts/sparkline.ts';
import { openExchange, type Reading } from '../reader.ts';
import { figure, MEASURES } from './drift.ts';

export const declare: Declare = (command, start) =>
  command
    .argument('<a>', 'a branch: its id, the beginning or end of it, or its exact title')
    .argument('<b>', 'another one')
    .addHelpText(
      'after',
      examples('logos branches', 'logos compare 7QK2ZC 9VN4TD', 'logos compare 7QK2ZC 9VN4TD --json'),
    )
    .action((a: string, b: string) => compare(start(), a, b));

function compare(cli: Cli, nameA: string, nameB: string): Promise<void> {
  const { out } = cli;
  return withLog(cli, async (log) => {
    const [a, b] = [await openExchange(cli, log, nameA), await openExchange(cli, log, nameB)];
    const comparison = compareTwo(a.exchange, b.exchange);
    if (out.json) return out.value({ threads: { a: a.id, b: b.id }, ...comparison });
    for (const part of [
      sides(out, a, b, comparison),
      terms(out, a.exchange, b.exchange, comparison),
      difference(out, comparison),
      clusters(out, comparison),
      drift(out, comparison),
    ])
      for (const line of part) out.line(line);
  });
}

function sides(out: Output, a: Reading, b: Reading, { a: one, b: other, common }: Comparison): readonly string[] {
  const row = (name: string, { title }: Reading, side: Comparison['a']) => [
    name,
    String(side.rounds),
    String(side.thoughts),
    String(side.audits),
    `${side.phase === 'structured' ? 'structured' : 'free running'}${side.control ? ', control' : ''}`,
    oneLine(title),
  ];
  const rows = [['', 'rounds', 'thoughts', 'audits', 'phase', 'title'], row('A', a, one), row('B', b, other)];
  return [...table(rows, out.width), out.colors.dim(`${counted(common, 'round')} in common`)];
}

function terms(out: Output, a: Exchange, b: Exchange, { terms: names }: Comparison): readonly string[] {
  if (names.length === 0) return ['', 'The same terms hold in both.'];
  const [one, other] = [termsNow(a).terms, termsNow(b).terms];
  const words = (all: typeof one, name: keyof typeof one) =>
    (TEXTS as readonly string[]).includes(name)
      ? `${counted((all[name] as string).length, 'character')}: ${shorten(oneLine(all[name] as string), 24)}`
      : shorten(settingWords(all[name]), 36);
  const rows = names.map((name) => [
    name,
    words(one, name as keyof typeof one),
    words(other, name as keyof typeof one),
  ]);
  return ['', ...table([['terms', 'A', 'B'], ...rows], out.width)];
}

function difference(out: Output, { first_difference: first }: Comparison): readonly string[] {
  if (!first) return ['', 'They are the same, round by round.'];
  const said = (name: string, thoughts: readonly string[] | null) => {
    if (thoughts === null) return [`  ${name}  ${out.colors.dim('does not have it')}`];
    if (thoughts.length === 0) return [`  ${name}  ${out.colors.dim('silence')}`];
    return thoughts.map((text) => `  ${name}  ${shorten(oneLine(text), out.width - 6)}`);
  };
  return ['', `They differ from round ${first.round} on:`, ...said('A', first.a), ...said('B', first.b)];
}

function clusters(out: Output, { clusters: pairs }: Comparison): readonly string[] {
  if (pairs.length === 0) return [];
  const rows = pairs.map(({ a, b, match, likeness }) => [
    a ? `${a.id} (${a.active})` : '–',
    b ? `${b.id} (${b.active})` : '–',
    match === 'same'
      ? 'the same'
      : match === 'alike'
        ? `alike, ${Math.round(likeness * 100)} %`
        : `only in ${a ? 'A' : 'B'}`,
    oneLine((a ?? b)?.label ?? ''),
  ]);
  return ['', ...table([['cluster A', 'cluster B', 'match', 'latest thought'], ...rows], out.width)];
}

function drift(out: Output, { rounds }: Comparison): readonly string[] {
  if (rounds.length === 0) return [];
  const width = out.width - 26;
  const rows = MEASURES.flatMap((name) => {
    const values = { A: rounds.map(({ a }) => a?.[name] ?? null), B: rounds.map(({ b }) => b?.[name] ?? null) };
    const top = Math.max(0, ...[...values.A, ...values.B].filter((value) => value !== null));
    return (['A', 'B'] as const).map((side) => [
      side === 'A' ? name : '',
      side,
      figure(values[side].findLast((value) => value !== null) ?? null),
      sparkline(values[side], width, top),
    ]);
  });
  const head = ['drift', '', 'now', `rounds ${rounds[0]?.round} to ${rounds.at(-1)?.round}`];
  return ['', ...table([head, ...rows], out.width)];
}
