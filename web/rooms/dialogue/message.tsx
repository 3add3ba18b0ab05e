import { linkTo } from '../../../src/core/link.ts';
import { kept } from '../../data/browser-storage.ts';
import { useActions } from '../../shell/actions.ts';
import { Elsewhere } from '../../transfer/buttons.tsx';
import { BroughtHere } from '../../transfer/origin-notes.tsx';
import { Refused, useWish } from '../../ui/request.tsx';
import { visible } from '../../ui/text/visible.ts';
import { Time } from '../../ui/time.tsx';
import type { Talk } from './live-dialogue.ts';
import type { Status } from './queries.ts';

type Turn = NonNullable<Status['turn']>;

/** What the person asked, the notes given since, and the way to take it back. */
export function Message({ talk, turn }: { readonly talk: Talk; readonly turn: Turn }) {
  const { wish, busy, refusal } = useWish();
  const place = linkTo({ id: talk.id, kind: 'dialogue' }, String(turn.turn));

  /** The text goes back to where it was written, so nothing is lost by it. */
  async function withdraw(): Promise<void> {
    kept.keepUnsent(talk.id, { text: turn.message });
    if (!(await wish(() => talk.remote.command('withdraw', { turn: turn.turn })))) kept.keepUnsent(talk.id, undefined);
  }

  useActions('This dialogue', [{ name: 'Take the message back', act: () => void withdraw() }]);
  return (
    <section className="asked" aria-label="Your message" data-place={place}>
      <p className="facts">
        <span>{turn.by === talk.me ? 'you' : turn.by}</span>
        <span>
          <Time ts={turn.ts} />
        </span>
        <button type="button" className="act" disabled={busy} onClick={() => void withdraw()}>
          Take it back
        </button>
        <Elsewhere link={place} />
      </p>
      <div>
        <p className="asked-text" dir="auto">
          {visible(turn.message)}
        </p>
        {turn.steer.map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only added
          <p key={at} className="steered" dir="auto">
            <span className="soft">steered: </span>
            {visible(note)}
          </p>
        ))}
        <BroughtHere thread={talk.id} at={String(turn.turn)} />
        <Refused because={refusal} />
      </div>
    </section>
  );
}
