import { hasSeen } from '../../../core/dialogue/turns/seen-ranges.ts';
import type { Cli } from '../../cli.ts';
import type { watchChanges } from '../../connect/changes.ts';
import { errorReportOf } from '../../failure.ts';
import { oneLine } from '../../output/text.ts';
import { followServedText } from '../../terminal/live-text.ts';
import { runScreen, type ScreenSize } from '../../terminal/screen.ts';
import { send } from '../../threads/send.ts';
import { createEngagementTracker } from '../engagement.ts';
import type { DialogueReader } from '../follow.ts';
import { drawWatch, type WatchFrame, type WatchPrompt } from './draw.ts';

/** Shows the growing draft buffer on the full screen, with a key for each answer. */
export async function watchOnScreen(
  cli: Cli,
  reader: DialogueReader,
  changes: ReturnType<typeof watchChanges>,
): Promise<void> {
  const engagement = createEngagementTracker(cli);
  const liveTexts = followServedText(cli, changes.again);
  let isOver = false;
  let redraw = () => {};
  /** The draft the person chose; the latest reply until they do. */
  let selectedDraft: number | undefined;
  let prompt: WatchPrompt = { kind: 'nothing' };
  let note = '';
  /** The last drawn frame. A key acts on what was visible when it was pressed. */
  let frame: WatchFrame = { lines: [], turn: undefined, markedDraft: undefined, shownDrafts: [] };

  function lines(size: ScreenSize): readonly string[] {
    const live = liveTexts.current().filter(({ thread }) => thread === reader.id);
    frame = drawWatch(reader, {
      colors: cli.out.colors,
      selectedDraft,
      prompt,
      note,
      live,
      isServed: liveTexts.isServed(),
      ...size,
    });
    const { open } = reader.state;
    const unseen = frame.shownDrafts.filter((index) => open && !hasSeen(open.seen, index));
    engagement.onDraftsShown(frame.turn, unseen);
    return frame.lines;
  }

  function press(key: string, show: () => void) {
    redraw = show;
    note = '';
    engagement.onKey();
    if (prompt.kind === 'steer') steerKey(prompt, key);
    else if (prompt.kind === 'accept') acceptKey(prompt, key);
    else browseKey(key);
  }

  function browseKey(key: string) {
    const { turn, markedDraft } = frame;
    if (key === 'q') quit();
    else if (key === 'up' || key === 'k') choose(1);
    else if (key === 'down' || key === 'j') choose(-1);
    else if (turn === undefined) note = 'No message is waiting. Send one: mind message "…"';
    else if (key === 's') prompt = { kind: 'steer', turn, text: '' };
    else if (key === 'm')
      void sendAndReport(send(cli, 'seen', { drafts: [...frame.shownDrafts], turn }), 'Marked as seen.');
    else if (key === 'a' && markedDraft === undefined) note = 'There is no draft to accept yet.';
    else if (key === 'a') prompt = { kind: 'accept', turn, draft: markedDraft as number };
  }

  /** Moves the selection; newer drafts are above. */
  function choose(by: number) {
    const drafts = reader.state.open?.drafts;
    const from = frame.markedDraft ?? 0;
    if (drafts?.get(from + by)) selectedDraft = from + by;
  }

  function acceptKey({ turn, draft }: Extract<WatchPrompt, { kind: 'accept' }>, key: string) {
    prompt = { kind: 'nothing' };
    if (key !== 'y' && key !== 'enter') note = 'Nothing was accepted.';
    else void sendAndReport(send(cli, 'accept', { draft, turn }), `Turn ${turn} is answered with draft #${draft}.`);
  }

  function steerKey(steer: Extract<WatchPrompt, { kind: 'steer' }>, key: string) {
    const { text, turn } = steer;
    if (key === 'escape') prompt = { kind: 'nothing' };
    else if (key === 'backspace') prompt = { ...steer, text: [...text].slice(0, -1).join('') };
    else if (key !== 'enter') prompt = [...key].length === 1 ? { ...steer, text: text + key } : steer;
    else {
      prompt = { kind: 'nothing' };
      if (text.trim() !== '')
        void sendAndReport(send(cli, 'steer', { text: text.trim(), turn }), 'The mind sees your note from now on.');
    }
  }

  async function sendAndReport(pending: Promise<unknown>, sentence: string) {
    note = '…';
    note = await pending.then(
      () => sentence,
      (error) => oneLine(errorReportOf(error).message),
    );
    if (reader.state.open?.turn !== frame.turn) selectedDraft = undefined;
    changes.again();
    redraw();
  }

  function quit() {
    isOver = true;
  }

  let turn = reader.state.open?.turn;
  async function refresh() {
    await reader.refresh();
    if (reader.state.open?.turn !== turn) selectedDraft = undefined;
    turn = reader.state.open?.turn;
  }

  try {
    await runScreen({ changes, refresh, lines, press, quit, isOver: () => isOver });
  } finally {
    liveTexts.close();
    await engagement.leave();
  }
}
