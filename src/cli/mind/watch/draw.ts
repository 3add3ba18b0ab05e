import { latestReply, type Turn } from '../../../core/dialogue/state.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import type { DialogueDraftView } from '../../../core/dialogue/view/schema.ts';
import { draftsView, historyView, statusView } from '../../../core/dialogue/view/view.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { withCommandPrefix } from '../../output/hints.ts';
import type { TerminalOutput } from '../../output/output.ts';
import { oneLine, padEnd, sanitize, shorten, wrap } from '../../output/text.ts';
import { type LiveText, liveLines } from '../../terminal/live-text.ts';
import type { DialogueReader } from '../follow.ts';
import { attentionLines, draftLines, latestWriter } from '../format.ts';

export type WatchPrompt =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'accept'; readonly turn: number; readonly draft: number }
  | { readonly kind: 'steer'; readonly turn: number; readonly text: string };

export interface WatchScene {
  readonly colors: TerminalOutput['colors'];
  readonly width: number;
  readonly height: number;
  readonly selectedDraft: number | undefined;
  readonly prompt: WatchPrompt;
  readonly note: string;
  /** The texts being written in this dialogue right now. */
  readonly live: readonly LiveText[];
  /** Whether a server is available to do the work. */
  readonly isServed: boolean;
}

/** The number of screen rows for a text that is being written. */
const LIVE_ROWS = 6;

/** The lines of a screen and the drafts shown on it. */
export interface WatchFrame {
  readonly lines: readonly string[];
  readonly turn: number | undefined;
  /** The marked draft, which the accept key takes. */
  readonly markedDraft: number | undefined;
  /** The drafts that are fully visible. */
  readonly shownDrafts: readonly number[];
}

export function drawWatch(reader: DialogueReader, scene: WatchScene): WatchFrame {
  const { state: dialogue } = reader;
  const { open: openTurn } = dialogue;
  const { width, height } = scene;
  const header = headLines(reader, scene);
  const liveRows = Math.min(LIVE_ROWS, Math.floor((height - header.length - 2) / 2) - 1);
  const live = liveRows < 1 ? [] : scene.live.slice(-1).flatMap((text) => liveLines(text, scene, width - 1, liveRows));
  const head = [...header, ...live];
  const markedDraft = openTurn && (scene.selectedDraft ?? latestReply(openTurn)?.index);
  const rowCount = Math.max(1, height - head.length - 2);
  const body = openTurn ? draftBody(reader, openTurn, markedDraft, rowCount, scene) : idleBody(reader, rowCount, scene);
  const lines = [...head, ...body.lines];
  while (lines.length < height - 2) lines.push('');
  return {
    lines: [...lines, ...footLines(openTurn, markedDraft, scene)],
    turn: openTurn?.turn,
    markedDraft,
    shownDrafts: body.shownDrafts,
  };
}

function headLines(
  { title, state: dialogue }: DialogueReader,
  { colors, width, isServed }: WatchScene,
): readonly string[] {
  const { turn, drafts, warning } = statusView(dialogue);
  const progress = turn ? `${pluralize(drafts, 'draft')}, ${pluralize(turn.iterations, 'iteration')}` : '';
  const name = shorten(oneLine(title), Math.max(10, width - progress.length - 2));
  return [
    `${colors.bold(padEnd(name, width - progress.length - 1))}${colors.dim(progress)}`,
    ...attentionLines(attentionOf(dialogue, isServed), { colors }, width - 1),
    ...(warning ? [colors.yellow(shorten(warning, width - 1))] : []),
    ...(turn ? [colors.dim(shorten(`> ${oneLine(turn.message)}`, width - 1))] : []),
    ...(turn?.steer ?? []).slice(-2).map((note) => colors.dim(shorten(`  steered: ${oneLine(note)}`, width - 1))),
    colors.dim('─'.repeat(Math.max(1, width - 1))),
  ];
}

interface WatchBody {
  readonly lines: readonly string[];
  readonly shownDrafts: readonly number[];
}

/** Drafts, newest first. Starts at the marked draft if it would otherwise be off the screen. */
function draftBody(
  { state: dialogue }: DialogueReader,
  openTurn: Turn,
  markedDraft: number | undefined,
  rowCount: number,
  scene: WatchScene,
): WatchBody {
  if (openTurn.drafts.length === 0)
    return { lines: [scene.colors.dim(`No drafts yet by ${latestWriter(dialogue)}.`)], shownDrafts: [] };
  const fromTop = stackDrafts(draftsView(dialogue, openTurn, { limit: rowCount }).drafts, markedDraft, rowCount, scene);
  if (markedDraft === undefined || fromTop.shownDrafts.includes(markedDraft)) return fromTop;
  return stackDrafts(
    draftsView(dialogue, openTurn, { before: markedDraft + 1, limit: rowCount }).drafts,
    markedDraft,
    rowCount,
    scene,
  );
}

function stackDrafts(
  drafts: readonly DialogueDraftView[],
  markedDraft: number | undefined,
  rowCount: number,
  scene: WatchScene,
): WatchBody {
  const { colors, width } = scene;
  const lines: string[] = [];
  const shownDrafts: number[] = [];
  const now = Date.now();
  for (const draft of drafts) {
    if (lines.length >= rowCount) break;
    const mark = draft.index === markedDraft ? colors.cyan('▌ ') : '  ';
    const block = draftLines(draft, { colors }, width - 3, now).map((line) => mark + line);
    const isWhole = block.length <= rowCount - lines.length;
    // A draft longer than the screen counts as shown.
    if (isWhole || lines.length === 0) shownDrafts.push(draft.index);
    lines.push(...(isWhole ? block : block.slice(0, rowCount - lines.length)));
  }
  return { lines, shownDrafts };
}

function idleBody({ state: dialogue }: DialogueReader, rowCount: number, { colors, width }: WatchScene): WatchBody {
  const [last] = historyView(dialogue, { limit: 1 }).turns;
  if (!last) return { lines: [colors.dim(withCommandPrefix('Send a message: mind message "…"'))], shownDrafts: [] };
  const reply = wrap(sanitize(last.reply), width - 5).map((line) => `    ${line}`);
  return {
    lines: [`Turn ${last.turn} was answered with draft #${last.accepted_draft_index}:`, ...reply].slice(0, rowCount),
    shownDrafts: [],
  };
}

function footLines(openTurn: Turn | undefined, markedDraft: number | undefined, scene: WatchScene): readonly string[] {
  const { colors, width, prompt, note } = scene;
  return [colors.yellow(shorten(withCommandPrefix(note), width - 1)), lastLine()];

  function lastLine(): string {
    if (prompt.kind === 'accept') return colors.bold(`Accept #${prompt.draft} as the answer? y/n`);
    if (prompt.kind === 'steer') {
      const label = 'Steer (Enter sends, Esc cancels): ';
      // Show the end of the input, where the user types.
      const visibleText = [...sanitize(prompt.text)].slice(-Math.max(10, width - label.length - 3)).join('');
      return `${colors.bold(label)}${visibleText}█`;
    }
    const accept = markedDraft === undefined ? 'a accept' : `a accept #${markedDraft}`;
    const keys = openTurn ? [accept, 's steer', 'm mark seen', '↑↓ choose', 'q quit'] : ['q quit'];
    return colors.dim(shorten(keys.join(' · '), width - 1));
  }
}
