import type { AuditItem, EntryItem, ExchangeStatus, RoundItem, RoundThought } from '../../client/index.ts';
import { markedText } from '../../core/exchange/entries.ts';
import type { ExchangeAttention } from '../../core/exchange/view/schema.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { formatPercent } from '../output/figures.ts';
import { withCommandPrefix } from '../output/hints.ts';
import type { TextStyle } from '../output/output.ts';
import { oneLine, sanitize, shorten, wrap } from '../output/text.ts';
import { formatAgo, formatClock } from '../output/time.ts';

/** What the exchange needs from the observer, and why. */
export function attentionLines({ level, reason }: ExchangeAttention, { colors }: TextStyle, width: number): string[] {
  const word = level === 'needs_you' ? 'needs you' : level;
  const [first = '', ...rest] = wrap(`${word}: ${oneLine(withCommandPrefix(reason))}`, width);
  const badge = { needs_you: colors.yellow, running: colors.cyan, idle: colors.dim }[level](word);
  return [(level === 'needs_you' ? colors.bold(badge) : badge) + first.slice(word.length), ...rest];
}

/** A round as printed during a run: a line for each thought and for each problem. */
export function roundLines(row: RoundItem, { colors }: TextStyle, width: number): string[] {
  const { round, thoughts } = row;
  const problems = problemLines(row, { colors }, width);
  if (thoughts.length === 0 && problems.length === 0) return [colors.dim(`${round}  silence`)];
  return [...thoughts.map((thought) => thoughtLine(thought, round, { colors }, width)), ...problems];
}

/** The problems and restart requests of a round. */
export function problemLines({ round, calls, problem }: RoundItem, { colors }: TextStyle, width: number): string[] {
  const line = (text: string) => shorten(`${round}  ${text}`, width);
  return [
    ...calls.flatMap(({ author, outcome, problem: callProblem, restart }) => [
      ...(outcome === 'malformed' || outcome === 'error'
        ? [colors.red(line(`${oneLine(author)} failed: ${oneLine(callProblem ?? '')}`))]
        : []),
      ...(restart === undefined
        ? []
        : [colors.yellow(line(`${oneLine(author)} asks for a restart: ${oneLine(restart)}`))]),
    ]),
    ...(problem ? [colors.yellow(line(oneLine(problem)))] : []),
  ];
}

function thoughtLine(
  { id, author, text, vetoed }: RoundThought,
  round: number,
  { colors }: TextStyle,
  width: number,
): string {
  const head = `${round}  ${oneLine(author)}  #${id}  `;
  const shortText = shorten(oneLine(text), Math.max(20, width - head.length));
  return `${colors.dim(head)}${vetoed ? colors.dim(`${shortText} (hidden)`) : shortText}`;
}

/** A heading line followed by the full text of a thought or an entry. */
export function textLines(head: string, text: string, { colors }: TextStyle, width: number): string[] {
  return [colors.dim(head), ...wrap(sanitize(text), width - 2).map((line) => (line === '' ? '' : `  ${line}`))];
}

export function entryLines(entry: EntryItem, style: TextStyle, width: number): string[] {
  const { by, ts, round } = entry;
  return textLines(`${formatClock(ts)}  after round ${round}  ${oneLine(by)}`, markedText(entry), style, width);
}

/** A full audit with its coverage, its references to thoughts that do not exist, and the answers to it (X4). */
export function auditLines(audit: AuditItem, { colors }: TextStyle, width: number, now: number): string[] {
  const { bold, dim, yellow } = colors;
  const { cited, missed, share } = audit.coverage;
  const clusters = cited.length + missed.length;
  const coveragePhrase =
    clusters === 0
      ? 'there are no clusters yet'
      : `covers ${formatPercent(share)} of the clusters (${cited.length} of ${clusters}${missed.length > 0 ? `; not ${missed.join(', ')}` : ''})`;
  return [
    `${bold(`Audit ${audit.audit}`)} ${dim(`· after round ${audit.round} · ${formatWriter(audit)} · ${formatAgo(audit.ts, now)}`)}`,
    ...wrap(sanitize(audit.text), width - 2).map((line) => (line === '' ? '' : `  ${line}`)),
    ...wrap(`cites ${pluralize(audit.cites.length, 'thought')}; ${coveragePhrase}`, width - 2).map((line) =>
      dim(`  ${line}`),
    ),
    ...(audit.cites.length === 0 ? [yellow('  cites no thought that exists')] : []),
    ...(audit.unknown.length > 0
      ? [yellow(`  cites thoughts that do not exist: ${audit.unknown.map((id) => `#${oneLine(id)}`).join(', ')}`)]
      : []),
    ...audit.answers.flatMap((text) => wrap(`[OBSERVER] ${sanitize(text)}`, width - 2).map((line) => `  ${line}`)),
    ...(audit.ask && audit.answers.length === 0
      ? [yellow('  It waits for your answer; you can also continue without one.')]
      : []),
  ];
}

/** Names the model, and marks small models everywhere (M3). */
export function formatWriter({ model, small }: { readonly model: string; readonly small?: true | undefined }): string {
  return `${oneLine(model)}${small ? ', a small model' : ''}`;
}

/** The minds, with every model they used in these rounds. */
export function formatMinds({ minds }: Pick<ExchangeStatus, 'minds'>, rounds: readonly RoundItem[]): string {
  const calls = rounds.toReversed().flatMap((round) => round.calls);
  return minds
    .map(({ id, model }) => {
      const models = new Set(calls.filter(({ author }) => author === id).map(formatWriter));
      const modelLabel = models.size > 0 ? [...models].join('; ') : model === null ? undefined : oneLine(model);
      return modelLabel === undefined ? oneLine(id) : `${oneLine(id)} (${modelLabel})`;
    })
    .join(', ');
}
