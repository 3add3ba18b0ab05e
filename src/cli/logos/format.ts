import { marked } from '../../core/exchange/entries.ts';
import type { Attention } from '../../core/exchange/view/attention.ts';
import type { AuditRow, EntryRow, ExchangeStatus, RoundRow, ThoughtRow } from '../../core/exchange/view/view.ts';
import { percent } from '../output/figures.ts';
import { asStarted } from '../output/hints.ts';
import { counted } from '../output/numbers.ts';
import type { Output } from '../output/output.ts';
import { oneLine, shorten, visible, wrap } from '../output/text.ts';
import { ago, clock } from '../output/time.ts';

export type Paint = Pick<Output, 'colors'>;

/** What the exchange wants of the observer, and why. */
export function attentionLines({ level, reason }: Attention, { colors }: Paint, width: number): string[] {
  const word = level === 'needs_you' ? 'needs you' : level;
  const [first = '', ...rest] = wrap(`${word}: ${oneLine(asStarted(reason))}`, width);
  const badge = { needs_you: colors.yellow, running: colors.cyan, idle: colors.dim }[level](word);
  return [(level === 'needs_you' ? colors.bold(badge) : badge) + first.slice(word.length), ...rest];
}

/** A round as it is told while minds think: a line for each thought, and one for what went wrong. */
export function roundLines(row: RoundRow, { colors }: Paint, width: number): string[] {
  const { round, thoughts } = row;
  const problems = problemLines(row, { colors }, width);
  if (thoughts.length === 0 && problems.length === 0) return [colors.dim(`${round}  silence`)];
  return [...thoughts.map((thought) => thoughtLine(thought, round, { colors }, width)), ...problems];
}

/** What went wrong in a round, and what was asked for. */
export function problemLines({ round, calls, problem }: RoundRow, { colors }: Paint, width: number): string[] {
  const line = (text: string) => shorten(`${round}  ${text}`, width);
  return [
    ...calls.flatMap(({ author, outcome, problem: why, restart }) => [
      ...(outcome === 'malformed' || outcome === 'error'
        ? [colors.red(line(`${oneLine(author)} failed: ${oneLine(why ?? '')}`))]
        : []),
      ...(restart === undefined
        ? []
        : [colors.yellow(line(`${oneLine(author)} asks for a restart: ${oneLine(restart)}`))]),
    ]),
    ...(problem ? [colors.yellow(line(oneLine(problem)))] : []),
  ];
}

function thoughtLine(
  { id, author, text, vetoed }: ThoughtRow,
  round: number,
  { colors }: Paint,
  width: number,
): string {
  const head = `${round}  ${oneLine(author)}  #${id}  `;
  const said = shorten(oneLine(text), Math.max(20, width - head.length));
  return `${colors.dim(head)}${vetoed ? colors.dim(`${said} (hidden)`) : said}`;
}

/** A thought or an entry whole, behind what there is to know of it. */
export function saidLines(head: string, text: string, { colors }: Paint, width: number): string[] {
  return [colors.dim(head), ...wrap(visible(text), width - 2).map((line) => (line === '' ? '' : `  ${line}`))];
}

export function entryLines(entry: EntryRow, paint: Paint, width: number): string[] {
  const { by, ts, round } = entry;
  return saidLines(`${clock(ts)}  after round ${round}  ${oneLine(by)}`, marked(entry), paint, width);
}

/** An audit whole, what it covers, what it names that is not there, and what was answered (X4). */
export function auditLines(audit: AuditRow, { colors }: Paint, width: number, now: number): string[] {
  const { bold, dim, yellow } = colors;
  const { cited, missed, share } = audit.coverage;
  const clusters = cited.length + missed.length;
  const covered =
    clusters === 0
      ? 'there are no clusters yet'
      : `covers ${percent(share)} of the clusters (${cited.length} of ${clusters}${missed.length > 0 ? `; not ${missed.join(', ')}` : ''})`;
  return [
    `${bold(`Audit ${audit.audit}`)} ${dim(`· after round ${audit.round} · ${writer(audit)} · ${ago(audit.ts, now)}`)}`,
    ...wrap(visible(audit.text), width - 2).map((line) => (line === '' ? '' : `  ${line}`)),
    ...wrap(`cites ${counted(audit.cites.length, 'thought')}; ${covered}`, width - 2).map((line) => dim(`  ${line}`)),
    ...(audit.cites.length === 0 ? [yellow('  cites no thought that exists')] : []),
    ...(audit.unknown.length > 0
      ? [yellow(`  names what does not exist: ${audit.unknown.map((id) => `#${oneLine(id)}`).join(', ')}`)]
      : []),
    ...audit.answers.flatMap((text) => wrap(`[OBSERVER] ${visible(text)}`, width - 2).map((line) => `  ${line}`)),
    ...(audit.ask && audit.answers.length === 0
      ? [yellow('  It waits for your answer; you can also go on without one.')]
      : []),
  ];
}

/** A small model says so wherever it speaks (M3). */
export function writer({ model, small }: { readonly model: string; readonly small?: true | undefined }): string {
  return `${oneLine(model)}${small ? ', a small model' : ''}`;
}

/** Who thinks, with all models that were asked in these rounds. */
export function mindWords({ minds }: Pick<ExchangeStatus, 'minds'>, rounds: readonly RoundRow[]): string {
  const calls = rounds.toReversed().flatMap((round) => round.calls);
  return minds
    .map(({ id, model }) => {
      const asked = new Set(calls.filter(({ author }) => author === id).map(writer));
      const known = asked.size > 0 ? [...asked].join('; ') : model === null ? undefined : oneLine(model);
      return known === undefined ? oneLine(id) : `${oneLine(id)} (${known})`;
    })
    .join(', ');
}
