import { latestReply, type Turn } from '../../../core/dialogue/state.ts';
import { attentionOf } from '../../../core/dialogue/view/attention.ts';
import { type DraftView, draftsView, historyView, statusView } from '../../../core/dialogue/view/view.ts';
import { asStarted } from '../../output/hints.ts';
import { counted } from '../../output/numbers.ts';
import type { Output } from '../../output/output.ts';
import { oneLine, padEnd, shorten, visible, wrap } from '../../output/text.ts';
import { type LiveText, liveLines } from '../../terminal/live-text.ts';
import { attentionLines, draftLines, writtenBy } from '../format.ts';
import type { Reading } from '../reader.ts';

export type Asking =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'accept'; readonly turn: number; readonly draft: number }
  | { readonly kind: 'steer'; readonly turn: number; readonly text: string };

export interface Scene {
  readonly colors: Output['colors'];
  readonly width: number;
  readonly height: number;
  readonly chosen: number | undefined;
  readonly asking: Asking;
  readonly note: string;
  /** What is being written in this dialogue right now. */
  readonly live: readonly LiveText[];
  /** Somebody is there to do what is asked for. */
  readonly isServed: boolean;
}

/** How much of the screen a text takes while it is being written. */
const LIVE_ROWS = 6;

/** A screen, and what is on it. */
export interface Drawn {
  readonly lines: readonly string[];
  readonly turn: number | undefined;
  /** The draft that is marked: the one an accept is about. */
  readonly marked: number | undefined;
  /** The drafts that can be read whole. */
  readonly shown: readonly number[];
}

export function draw(reading: Reading, scene: Scene): Drawn {
  const { dialogue } = reading;
  const { open } = dialogue;
  const { width, height } = scene;
  const fixed = headLines(reading, scene);
  const liveRows = Math.min(LIVE_ROWS, Math.floor((height - fixed.length - 2) / 2) - 1);
  const live = liveRows < 1 ? [] : scene.live.slice(-1).flatMap((text) => liveLines(text, scene, width - 1, liveRows));
  const head = [...fixed, ...live];
  const marked = open && (scene.chosen ?? latestReply(open)?.index);
  const room = Math.max(1, height - head.length - 2);
  const body = open ? draftBody(reading, open, marked, room, scene) : idleBody(reading, room, scene);
  const lines = [...head, ...body.lines];
  while (lines.length < height - 2) lines.push('');
  return {
    lines: [...lines, ...footLines(open, marked, scene)],
    turn: open?.turn,
    marked,
    shown: body.shown,
  };
}

function headLines({ title, dialogue }: Reading, { colors, width, isServed }: Scene): readonly string[] {
  const { turn, drafts, warning } = statusView(dialogue);
  const far = turn ? `${counted(drafts, 'draft')}, ${counted(turn.iterations, 'iteration')}` : '';
  const name = shorten(oneLine(title), Math.max(10, width - far.length - 2));
  return [
    `${colors.bold(padEnd(name, width - far.length - 1))}${colors.dim(far)}`,
    ...attentionLines(attentionOf(dialogue, isServed), { colors }, width - 1),
    ...(warning ? [colors.yellow(shorten(warning, width - 1))] : []),
    ...(turn ? [colors.dim(shorten(`> ${oneLine(turn.message)}`, width - 1))] : []),
    ...(turn?.steer ?? []).slice(-2).map((note) => colors.dim(shorten(`  steered: ${oneLine(note)}`, width - 1))),
    colors.dim('─'.repeat(Math.max(1, width - 1))),
  ];
}

interface Body {
  readonly lines: readonly string[];
  readonly shown: readonly number[];
}

/** Newest first, from the top, or from the marked one where it would not be on the screen. */
function draftBody({ dialogue }: Reading, open: Turn, marked: number | undefined, room: number, scene: Scene): Body {
  if (open.drafts.length === 0)
    return { lines: [scene.colors.dim(`No drafts yet by ${writtenBy(dialogue)}.`)], shown: [] };
  const fromTop = stack(draftsView(dialogue, open, { limit: room }).drafts, marked, room, scene);
  if (marked === undefined || fromTop.shown.includes(marked)) return fromTop;
  return stack(draftsView(dialogue, open, { before: marked + 1, limit: room }).drafts, marked, room, scene);
}

function stack(drafts: readonly DraftView[], marked: number | undefined, room: number, scene: Scene): Body {
  const { colors, width } = scene;
  const lines: string[] = [];
  const shown: number[] = [];
  const now = Date.now();
  for (const draft of drafts) {
    if (lines.length >= room) break;
    const mark = draft.index === marked ? colors.cyan('▌ ') : '  ';
    const block = draftLines(draft, { colors }, width - 3, now).map((line) => mark + line);
    const whole = block.length <= room - lines.length;
    // One longer than the screen is still looked at, as far as it goes.
    if (whole || lines.length === 0) shown.push(draft.index);
    lines.push(...(whole ? block : block.slice(0, room - lines.length)));
  }
  return { lines, shown };
}

function idleBody({ dialogue }: Reading, room: number, { colors, width }: Scene): Body {
  const [last] = historyView(dialogue, { limit: 1 }).turns;
  if (!last) return { lines: [colors.dim(asStarted('Say something: mind message "…"'))], shown: [] };
  const reply = wrap(visible(last.reply), width - 5).map((line) => `    ${line}`);
  return {
    lines: [`Turn ${last.turn} was answered with draft #${last.accepted_draft_index}:`, ...reply].slice(0, room),
    shown: [],
  };
}

function footLines(open: Turn | undefined, marked: number | undefined, scene: Scene): readonly string[] {
  const { colors, width, asking, note } = scene;
  return [colors.yellow(shorten(asStarted(note), width - 1)), lastLine()];

  function lastLine(): string {
    if (asking.kind === 'accept') return colors.bold(`Accept #${asking.draft} as the answer? y/n`);
    if (asking.kind === 'steer') {
      const label = 'Steer (Enter sends, Esc does not): ';
      // What is being typed is at its end.
      const typed = [...visible(asking.text)].slice(-Math.max(10, width - label.length - 3)).join('');
      return `${colors.bold(label)}${typed}█`;
    }
    const accept = marked === undefined ? 'a accept' : `a accept #${marked}`;
    const keys = open ? [accept, 's steer', 'm mark seen', '↑↓ choose', 'q quit'] : ['q quit'];
    return colors.dim(shorten(keys.join(' · '), width - 1));
  }
}
