import type { BranchComparison, TermValues } from '../../../client/index.ts';
import { TEXT_TERMS } from '../../../core/exchange/terms/terms-text.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import type { Cli } from '../../cli.ts';
import type { DeclareCommand } from '../../command.ts';
import { withReader } from '../../connect/reader.ts';
import { formatSetting } from '../../input/pairs.ts';
import { THREAD_HELP } from '../../input/thread-help.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { tableLines } from '../../output/table.ts';
import { oneLine, shorten } from '../../output/text.ts';
import { findThreadOfKind, withoutHead } from '../../threads/reader.ts';
import { sparkline } from '../charts/sparkline.ts';
import { DRIFT_MEASURES, formatFigure } from './drift.ts';

export const declare: DeclareCommand = (command) =>
  command
    .argument('<a>', `a branch: ${THREAD_HELP}`)
    .argument('<b>', 'another one')
    .examples('logos branches', 'logos compare 7QK2ZC 9VN4TD', 'logos compare 7QK2ZC 9VN4TD --json')
    .run(compare);

function compare(cli: Cli, nameA: string, nameB: string): Promise<void> {
  const { out } = cli;
  return withReader(cli, async (client) => {
    const [a, b] = [await findThreadOfKind(cli, client, nameA), await findThreadOfKind(cli, client, nameB)];
    const comparison = await client.thread(a.id).exchange.compare(b.id);
    if (out.json) return out.value({ threads: { a: a.id, b: b.id }, ...withoutHead(comparison) });
    const termsOf = async (id: string) => (await client.thread(id).exchange.terms()).now.terms;
    for (const sectionLines of [
      sideLines(out, a, b, comparison),
      termLines(out, await termsOf(a.id), await termsOf(b.id), comparison),
      differenceLines(out, comparison),
      clusterLines(out, comparison),
      driftLines(out, comparison),
    ])
      out.lines(sectionLines);
  });
}

function sideLines(
  out: TerminalOutput,
  a: { readonly title: string },
  b: { readonly title: string },
  { a: one, b: other, common }: BranchComparison,
): readonly string[] {
  const row = (name: string, { title }: { readonly title: string }, side: BranchComparison['a']) => [
    name,
    String(side.rounds),
    String(side.thoughts),
    String(side.audits),
    `${side.phase === 'structured' ? 'structured' : 'free running'}${side.control ? ', control' : ''}`,
    oneLine(title),
  ];
  const rows = [['', 'rounds', 'thoughts', 'audits', 'phase', 'title'], row('A', a, one), row('B', b, other)];
  return [...tableLines(rows, out.width), out.colors.dim(`${pluralize(common, 'round')} in common`)];
}

function termLines(
  out: TerminalOutput,
  a: TermValues,
  b: TermValues,
  { terms: names }: BranchComparison,
): readonly string[] {
  if (names.length === 0) return ['', 'Both have the same terms.'];
  const formatTerm = (all: TermValues, name: keyof TermValues) =>
    (TEXT_TERMS as readonly string[]).includes(name)
      ? `${pluralize((all[name] as string).length, 'character')}: ${shorten(oneLine(all[name] as string), 24)}`
      : shorten(formatSetting(all[name]), 36);
  const rows = names.map((name) => [
    name,
    formatTerm(a, name as keyof TermValues),
    formatTerm(b, name as keyof TermValues),
  ]);
  return ['', ...tableLines([['terms', 'A', 'B'], ...rows], out.width)];
}

function differenceLines(
  out: TerminalOutput,
  { first_difference: firstDifference }: BranchComparison,
): readonly string[] {
  if (!firstDifference) return ['', 'They are the same, round by round.'];
  const thoughtLines = (name: string, thoughts: readonly string[] | null) => {
    if (thoughts === null) return [`  ${name}  ${out.colors.dim('does not have it')}`];
    if (thoughts.length === 0) return [`  ${name}  ${out.colors.dim('silence')}`];
    return thoughts.map((text) => `  ${name}  ${shorten(oneLine(text), out.width - 6)}`);
  };
  return [
    '',
    `They differ from round ${firstDifference.round} on:`,
    ...thoughtLines('A', firstDifference.a),
    ...thoughtLines('B', firstDifference.b),
  ];
}

function clusterLines(out: TerminalOutput, { clusters: pairs }: BranchComparison): readonly string[] {
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
  return ['', ...tableLines([['cluster A', 'cluster B', 'match', 'latest thought'], ...rows], out.width)];
}

function driftLines(out: TerminalOutput, { rounds }: BranchComparison): readonly string[] {
  if (rounds.length === 0) return [];
  const width = out.width - 26;
  const rows = DRIFT_MEASURES.flatMap((name) => {
    const values = { A: rounds.map(({ a }) => a?.[name] ?? null), B: rounds.map(({ b }) => b?.[name] ?? null) };
    const top = Math.max(0, ...[...values.A, ...values.B].filter((value) => value !== null));
    return (['A', 'B'] as const).map((side) => [
      side === 'A' ? name : '',
      side,
      formatFigure(values[side].findLast((value) => value !== null) ?? null),
      sparkline(values[side], width, top),
    ]);
  });
  const head = ['drift', '', 'now', `rounds ${rounds[0]?.round} to ${rounds.at(-1)?.round}`];
  return ['', ...tableLines([head, ...rows], out.width)];
}
