import { hasSeen } from '../../../core/dialogue/turns/seen-ranges.ts';
import type { Cli } from '../../cli.ts';
import type { createWakes } from '../../connect/wakes.ts';
import { toldOf } from '../../failure.ts';
import { oneLine } from '../../output/text.ts';
import { followServedText } from '../../terminal/live-text.ts';
import { onScreen, type Size } from '../../terminal/screen.ts';
import { send } from '../../threads/send.ts';
import { createAttending } from '../engagement.ts';
import type { Reading } from '../reader.ts';
import { type Asking, type Drawn, draw } from './draw.ts';

/** The buffer as it grows, on the whole screen, and a key for each answer. */
export async function watchOnScreen(cli: Cli, reading: Reading, wakes: ReturnType<typeof createWakes>): Promise<void> {
  const attending = createAttending(cli);
  const texts = followServedText(cli, wakes.again);
  let over = false;
  let again = () => {};
  /** The draft the person chose; the latest reply until they do. */
  let chosen: number | undefined;
  let asking: Asking = { kind: 'nothing' };
  let note = '';
  /** What was on the screen when a key was pressed is what the key is about. */
  let drawn: Drawn = { lines: [], turn: undefined, marked: undefined, shown: [] };

  function lines(size: Size): readonly string[] {
    const live = texts.current().filter(({ thread }) => thread === reading.id);
    drawn = draw(reading, { colors: cli.out.colors, chosen, asking, note, live, isServed: texts.isServed(), ...size });
    const { open } = reading.dialogue;
    const unseen = drawn.shown.filter((index) => open && !hasSeen(open.seen, index));
    attending.show(drawn.turn, unseen);
    return drawn.lines;
  }

  function press(key: string, show: () => void) {
    again = show;
    note = '';
    attending.use();
    if (asking.kind === 'steer') steerKey(asking, key);
    else if (asking.kind === 'accept') acceptKey(asking, key);
    else browseKey(key);
  }

  function browseKey(key: string) {
    const { turn, marked } = drawn;
    if (key === 'q') quit();
    else if (key === 'up' || key === 'k') choose(1);
    else if (key === 'down' || key === 'j') choose(-1);
    else if (turn === undefined) note = 'No message is waiting: say something with "mind message".';
    else if (key === 's') asking = { kind: 'steer', turn, text: '' };
    else if (key === 'm') void did(send(cli, 'seen', { drafts: [...drawn.shown], turn }), 'Marked as seen.');
    else if (key === 'a' && marked === undefined) note = 'There is no draft to accept yet.';
    else if (key === 'a') asking = { kind: 'accept', turn, draft: marked as number };
  }

  /** Newer ones are above. */
  function choose(by: number) {
    const drafts = reading.dialogue.open?.drafts;
    const from = drawn.marked ?? 0;
    if (drafts?.get(from + by)) chosen = from + by;
  }

  function acceptKey({ turn, draft }: Extract<Asking, { kind: 'accept' }>, key: string) {
    asking = { kind: 'nothing' };
    if (key !== 'y' && key !== 'enter') note = 'Nothing was accepted.';
    else void did(send(cli, 'accept', { draft, turn }), `Turn ${turn} is answered with draft #${draft}.`);
  }

  function steerKey(steer: Extract<Asking, { kind: 'steer' }>, key: string) {
    const { text, turn } = steer;
    if (key === 'escape') asking = { kind: 'nothing' };
    else if (key === 'backspace') asking = { ...steer, text: [...text].slice(0, -1).join('') };
    else if (key !== 'enter') asking = [...key].length === 1 ? { ...steer, text: text + key } : steer;
    else {
      asking = { kind: 'nothing' };
      if (text.trim() !== '')
        void did(send(cli, 'steer', { text: text.trim(), turn }), 'The mind sees your note from now on.');
    }
  }

  async function did(sending: Promise<unknown>, sentence: string) {
    note = '…';
    note = await sending.then(
      () => sentence,
      (error) => oneLine(toldOf(error).message),
    );
    if (reading.dialogue.open?.turn !== drawn.turn) chosen = undefined;
    wakes.again();
    again();
  }

  function quit() {
    over = true;
  }

  let turn = reading.dialogue.open?.turn;
  async function refresh() {
    await reading.refresh();
    if (reading.dialogue.open?.turn !== turn) chosen = undefined;
    turn = reading.dialogue.open?.turn;
  }

  try {
    await onScreen({ wakes, refresh, lines, press, quit, isOver: () => over });
  } finally {
    texts.close();
    await attending.leave();
  }
}
