import type { DialogueStatus } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { browserStorage } from '../../data/browser-storage.ts';
import { useActions } from '../../shell/actions.ts';
import { TransferButtons } from '../../transfer/buttons.tsx';
import { BroughtNoteAt } from '../../transfer/origin-notes.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { Markdown } from '../../ui/text/markdown.tsx';
import { Time } from '../../ui/time.tsx';
import type { LiveDialogue } from './live-dialogue.ts';

type OpenTurn = NonNullable<DialogueStatus['turn']>;

/** The person's message, the steering notes since, and a button to withdraw it. */
export function Message({ dialogue, turn }: { readonly dialogue: LiveDialogue; readonly turn: OpenTurn }) {
  const { attempt, busy, refusal } = useAttempt();
  const link = linkTo({ id: dialogue.id, kind: 'dialogue' }, String(turn.turn));

  /** The text returns to the composer, so nothing is lost. */
  async function withdraw(): Promise<void> {
    browserStorage.setUnsent(dialogue.id, { text: turn.message });
    if (!(await attempt(() => dialogue.remote.command('withdraw', { turn: turn.turn }))))
      browserStorage.setUnsent(dialogue.id, undefined);
  }

  useActions('This dialogue', [{ name: 'Withdraw the message', act: () => void withdraw() }]);
  return (
    <section className="asked" aria-label="Your message" data-place={link}>
      <p className="facts">
        <span>{turn.by === dialogue.me ? 'you' : turn.by}</span>
        <span>
          <Time ts={turn.ts} />
        </span>
        <ActionButton disabled={busy} onClick={() => void withdraw()}>
          Withdraw
        </ActionButton>
        <TransferButtons link={link} />
      </p>
      <div>
        <div className="asked-text">
          <Markdown text={turn.message} />
        </div>
        {turn.steer.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added
          <p key={at} className="steered" dir="auto">
            <span className="soft">steered: </span>
            {escapeBidi(note)}
          </p>
        ))}
        <BroughtNoteAt thread={dialogue.id} at={String(turn.turn)} />
        <RefusalMessage reason={refusal} />
      </div>
    </section>
  );
}
