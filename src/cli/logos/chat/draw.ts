import type { Exchange } from '../../../core/exchange/state.ts';
import type { AuditRow, ExchangeStatusView, RoundRow } from '../../../core/exchange/view/schema.ts';
import { auditsView, exchangeStatus, roundsView } from '../../../core/exchange/view/view.ts';
import { describeRun } from '../../../core/runs/describe.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { withCommandPrefix } from '../../output/hints.ts';
import type { TerminalOutput, TextStyle } from '../../output/output.ts';
import { oneLine, padEnd, sanitize, shorten } from '../../output/text.ts';
import { type LiveText, liveLines } from '../../terminal/live-text.ts';
import type { ScreenSize } from '../../terminal/screen.ts';
import { logEntriesOf } from '../entries.ts';
import type { ExchangeReader } from '../follow.ts';
import { attentionLines, auditLines, entryLines, roundLines } from '../format.ts';
import { restartReasons, summarizeRounds } from '../run.ts';
import type { ChatForm } from './forms.ts';

export interface ChatScene extends ScreenSize, TextStyle, Pick<TerminalOutput, 'currency'> {
  readonly form: ChatForm | undefined;
  readonly note: string;
  /** The number of lines scrolled up from the newest. */
  readonly scrollOffset: number;
  /** The texts being written in this exchange right now. */
  readonly live: readonly LiveText[];
  /** Whether a server is available to do the work. */
  readonly isServed: boolean;
}

const MAX_ROUNDS = 200;
const MAX_ENTRIES = 100;
/** The number of screen rows for each text that is being written. */
const LIVE_ROWS = 3;

/** The rounds, audits and other entries, oldest first. */
export function timelineLines(exchange: Exchange, style: TextStyle, width: number): readonly string[] {
  const rounds = roundsView(exchange, { limit: MAX_ROUNDS }).rounds.map((row) => ({ ts: row.ts, row }));
  const audits = auditsView(exchange, { limit: 10 }).audits.map((audit) => ({ ts: audit.ts, audit }));
  const logEntries = logEntriesOf(exchange, ['injection', 'observer', 'restart', 'policy']).slice(-MAX_ENTRIES);
  const entries = logEntries.flatMap((entry) => (entry.type === 'thought' ? [] : [{ ts: entry.ts, entry }]));
  const earliest = rounds.length === MAX_ROUNDS ? (rounds.at(-1)?.ts ?? '') : '';
  const items: readonly ChatTimelineItem[] = [...rounds.toReversed(), ...audits.toReversed(), ...entries];
  const sortedItems = items
    .filter(({ ts }) => ts >= earliest)
    .toSorted((a, b) => (a.ts === b.ts ? 0 : a.ts < b.ts ? -1 : 1));
  return sortedItems.flatMap((item) => {
    if ('row' in item) return roundLines(item.row, style, width);
    if ('audit' in item) return ['', ...auditLines(withoutAnswers(item.audit, exchange), style, width, Date.now()), ''];
    return entryLines(item.entry, style, width);
  });
}

type ChatTimelineItem = { readonly ts: string } & (
  | { readonly row: RoundRow }
  | { readonly audit: AuditRow }
  | { readonly entry: Parameters<typeof entryLines>[0] }
);

/** Removes the answers, because the timeline shows them as entries of their own. */
function withoutAnswers({ ask: _, ...audit }: AuditRow, { awaiting }: Exchange): AuditRow {
  return { ...audit, answers: [], ...(awaiting === audit.audit && { ask: true as const }) };
}

export function drawChat(reader: ExchangeReader, history: readonly string[], scene: ChatScene): readonly string[] {
  const { height } = scene;
  const status = exchangeStatus(reader.state, scene.isServed);
  const head = headLines(reader, status, scene);
  const live = liveBlock(scene, Math.floor(availableRows(height, head.length) / 2));
  const rowCount = availableRows(height, head.length + live.length);
  const end = Math.max(Math.min(rowCount, history.length), history.length - scene.scrollOffset);
  const body = history.slice(Math.max(0, end - rowCount), end);
  const empty = Array.from({ length: rowCount - body.length }, () => '');
  return [...head, ...empty, ...body, ...live, ...footLines(status, scene)].slice(0, height);
}

/** The live texts, below the timeline because they are newest. Hidden while the user is scrolled up. */
function liveBlock(scene: ChatScene, maxLines: number): readonly string[] {
  if (scene.scrollOffset > 0) return [];
  const lines = scene.live.flatMap((text) => liveLines(text, scene, scene.width - 1, LIVE_ROWS));
  return lines.slice(Math.max(0, lines.length - maxLines));
}

function availableRows(height: number, head: number): number {
  return Math.max(1, height - head - 2);
}

function headLines(
  { title }: ExchangeReader,
  status: ExchangeStatusView,
  { colors, width, currency }: ChatScene,
): readonly string[] {
  const progress = `${pluralize(status.round, 'round')}, ${pluralize(status.thoughts, 'thought')}`;
  const name = shorten(oneLine(title), Math.max(10, width - progress.length - 2));
  return [
    `${colors.bold(padEnd(name, width - progress.length - 1))}${colors.dim(progress)}`,
    ...attentionLines(status.attention, { colors }, width - 1).slice(0, 3),
    ...restartReasons(status)
      .slice(0, 2)
      .map((text) => colors.yellow(shorten(`  ${text}`, width - 1))),
    colors.dim(shorten(statusSummary(status, currency), width - 1)),
    colors.dim('─'.repeat(Math.max(1, width - 1))),
  ];
}

function statusSummary({ phase, run, next_audit, audit_due }: ExchangeStatusView, currency: string): string {
  return [
    phase === 'structured' ? 'structured' : 'free running',
    audit_due ? 'an audit is due' : `audit in ${pluralize(next_audit, 'round')}`,
    ...(run?.state === 'running' ? describeRun(run, 'round', Date.now(), currency).figures : []),
    ...(run && run.state !== 'running' ? [summarizeRounds(run, currency)] : []),
  ].join(' · ');
}

function footLines(status: ExchangeStatusView, scene: ChatScene): readonly string[] {
  const { colors, width, form, note } = scene;
  return [
    colors.yellow(shorten(withCommandPrefix(note), width - 1)),
    form ? formLine(form) : colors.dim(shorten(keyHints(status), width - 1)),
  ];

  function formLine({ questions, answers, text }: ChatForm): string {
    const label = shorten(`${questions[answers.length]?.label ?? ''} (Enter, Esc): `, Math.max(12, width - 20));
    // Show the end of the input, where the user types.
    const visibleText = [...oneLine(sanitize(`${text}|`))]
      .slice(0, -1)
      .slice(-Math.max(10, width - label.length - 3))
      .join('');
    return `${colors.bold(label)}${visibleText}█`;
  }
}

/** The keys that work in the current state. */
function keyHints({ pending, run, halted, awaiting, audit_due }: ExchangeStatusView): string {
  if (pending) return 'b branch · l roll back · m amend · k acknowledge · h halt · o observe · q quit';
  if (halted) return 'b branch · l roll back · ↑↓ scroll · q quit';
  const runHint = run?.state === 'running' ? 'p pause' : run?.state === 'paused' ? 'p continue · r run' : 'r run';
  const speakHint = awaiting === undefined ? 'o observe' : `o answer audit ${awaiting}`;
  const skipHints = audit_due && run?.state !== 'running' ? ['s skip audit'] : [];
  return [
    speakHint,
    runHint,
    ...skipHints,
    'a audit',
    'q quit',
    'i inject',
    'm amend',
    'v veto',
    'h halt',
    '↑↓ scroll',
  ].join(' · ');
}

/** The largest useful scroll offset. */
export function maxScroll(lines: number, { height }: ScreenSize): number {
  return Math.max(0, lines - availableRows(height, 5));
}
