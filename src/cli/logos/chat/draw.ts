import type { Exchange } from '../../../core/exchange/state.ts';
import {
  type AuditRow,
  auditsView,
  type ExchangeStatus,
  exchangeStatus,
  type RoundRow,
  roundsView,
} from '../../../core/exchange/view/view.ts';
import { costWords } from '../../output/figures.ts';
import { asStarted } from '../../output/hints.ts';
import { counted } from '../../output/numbers.ts';
import { oneLine, padEnd, shorten, visible } from '../../output/text.ts';
import { budgetLeft } from '../../run/progress.ts';
import { type LiveText, liveLines } from '../../terminal/live-text.ts';
import type { Size } from '../../terminal/screen.ts';
import { logOf } from '../entries.ts';
import { attentionLines, auditLines, entryLines, type Paint, roundLines } from '../format.ts';
import type { Reading } from '../reader.ts';
import { restartWords, runWords } from '../run.ts';
import type { Form } from './forms.ts';

export interface Scene extends Size, Paint {
  readonly form: Form | undefined;
  readonly note: string;
  /** Lines the person has gone up from the newest. */
  readonly up: number;
  /** What is being written in this exchange right now. */
  readonly live: readonly LiveText[];
  /** Somebody is there to do what is asked for. */
  readonly isServed: boolean;
}

const ROUNDS = 200;
const ENTRIES = 100;
/** How much of the screen each text takes while it is being written. */
const LIVE_ROWS = 3;

/** What came, the oldest first: rounds, audits, and what was said besides. */
export function timeline(exchange: Exchange, paint: Paint, width: number): readonly string[] {
  const rounds = roundsView(exchange, { limit: ROUNDS }).rounds.map((row) => ({ ts: row.ts, row }));
  const audits = auditsView(exchange, { limit: 10 }).audits.map((audit) => ({ ts: audit.ts, audit }));
  const said = logOf(exchange, ['injection', 'observer', 'restart', 'policy']).slice(-ENTRIES);
  const entries = said.flatMap((entry) => (entry.type === 'thought' ? [] : [{ ts: entry.ts, entry }]));
  const from = rounds.length === ROUNDS ? (rounds.at(-1)?.ts ?? '') : '';
  const items: readonly Item[] = [...rounds.toReversed(), ...audits.toReversed(), ...entries];
  const ordered = items.filter(({ ts }) => ts >= from).toSorted((a, b) => (a.ts === b.ts ? 0 : a.ts < b.ts ? -1 : 1));
  return ordered.flatMap((item) => {
    if ('row' in item) return roundLines(item.row, paint, width);
    if ('audit' in item) return ['', ...auditLines(bare(item.audit, exchange), paint, width, Date.now()), ''];
    return entryLines(item.entry, paint, width);
  });
}

type Item = { readonly ts: string } & (
  | { readonly row: RoundRow }
  | { readonly audit: AuditRow }
  | { readonly entry: Parameters<typeof entryLines>[0] }
);

/** What was answered stands behind it by itself. */
function bare({ ask: _, ...audit }: AuditRow, { awaiting }: Exchange): AuditRow {
  return { ...audit, answers: [], ...(awaiting === audit.audit && { ask: true as const }) };
}

export function draw(reading: Reading, came: readonly string[], scene: Scene): readonly string[] {
  const { height } = scene;
  const status = exchangeStatus(reading.exchange, scene.isServed);
  const head = headLines(reading, status, scene);
  const live = liveBlock(scene, Math.floor(roomOf(height, head.length) / 2));
  const room = roomOf(height, head.length + live.length);
  const end = Math.max(Math.min(room, came.length), came.length - scene.up);
  const body = came.slice(Math.max(0, end - room), end);
  const empty = Array.from({ length: room - body.length }, () => '');
  return [...head, ...empty, ...body, ...live, ...footLines(status, scene)].slice(0, height);
}

/** Below what came, as it is the newest; not where the person has gone up to read. */
function liveBlock(scene: Scene, most: number): readonly string[] {
  if (scene.up > 0) return [];
  const lines = scene.live.flatMap((text) => liveLines(text, scene, scene.width - 1, LIVE_ROWS));
  return lines.slice(Math.max(0, lines.length - most));
}

function roomOf(height: number, head: number): number {
  return Math.max(1, height - head - 2);
}

function headLines({ title }: Reading, status: ExchangeStatus, { colors, width }: Scene): readonly string[] {
  const far = `${counted(status.round, 'round')}, ${counted(status.thoughts, 'thought')}`;
  const name = shorten(oneLine(title), Math.max(10, width - far.length - 2));
  return [
    `${colors.bold(padEnd(name, width - far.length - 1))}${colors.dim(far)}`,
    ...attentionLines(status.attention, { colors }, width - 1).slice(0, 3),
    ...restartWords(status)
      .slice(0, 2)
      .map((text) => colors.yellow(shorten(`  ${text}`, width - 1))),
    colors.dim(shorten(standing(status), width - 1)),
    colors.dim('─'.repeat(Math.max(1, width - 1))),
  ];
}

function standing({ phase, run, next_audit, audit_due }: ExchangeStatus): string {
  const left = run?.state === 'running' ? budgetLeft('round', run, Date.now()) : '';
  return [
    phase === 'structured' ? 'structured' : 'free running',
    audit_due ? 'an audit is due' : `audit in ${counted(next_audit, 'round')}`,
    ...(run ? [run.state === 'running' ? costWords(run.spent) : runWords(run)] : []),
    ...(left ? [`left: ${left}`] : []),
  ].join(' · ');
}

function footLines(status: ExchangeStatus, scene: Scene): readonly string[] {
  const { colors, width, form, note } = scene;
  return [
    colors.yellow(shorten(asStarted(note), width - 1)),
    form ? asked(form) : colors.dim(shorten(keysOf(status), width - 1)),
  ];

  function asked({ questions, answers, text }: Form): string {
    const label = shorten(`${questions[answers.length]?.label ?? ''} (Enter, Esc): `, Math.max(12, width - 20));
    // What is being typed is at its end.
    const typed = [...oneLine(visible(`${text}|`))]
      .slice(0, -1)
      .slice(-Math.max(10, width - label.length - 3))
      .join('');
    return `${colors.bold(label)}${typed}█`;
  }
}

/** The keys that mean something now. */
function keysOf({ pending, run, halted, awaiting, audit_due }: ExchangeStatus): string {
  if (pending) return 'b branch · l roll back · m amend · k acknowledge · h halt · o observe · q quit';
  if (halted) return 'b branch · l roll back · ↑↓ scroll · q quit';
  const rounds = run?.state === 'running' ? 'p pause' : run?.state === 'paused' ? 'p go on · r run' : 'r run';
  const speak = awaiting === undefined ? 'o observe' : `o answer audit ${awaiting}`;
  const skip = audit_due && run?.state !== 'running' ? ['s skip audit'] : [];
  return [speak, rounds, ...skip, 'a audit', 'q quit', 'i inject', 'm amend', 'v veto', 'h halt', '↑↓ scroll'].join(
    ' · ',
  );
}

/** How far up there is anything to see. */
export function furthest(lines: number, { height }: Size): number {
  return Math.max(0, lines - roomOf(height, 5));
}
