import { type KeyboardEvent, type RefObject, useState } from 'react';
import { kept } from '../kept.ts';
import { Refused, useWish } from '../refused.tsx';
import type { Status } from './reads.ts';
import type { Talk } from './talk.ts';

interface ComposerProps {
  readonly talk: Talk;
  readonly status: Status;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Where one writes: a message while nothing waits, a note to the mind while it drafts. What is typed is kept. */
export function Composer({ talk, status, field }: ComposerProps) {
  const { turn } = status;
  const keep = turn ? `${talk.id}.steer` : talk.id;
  const [text, setText] = useState(() => kept.unsent(keep)?.text ?? '');
  const [atOnce, setAtOnce] = useState(true);
  const { wish, busy, refusal } = useWish();

  function change(next: string): void {
    setText(next);
    kept.keepUnsent(keep, { text: next });
  }

  async function send(): Promise<void> {
    if (text.trim() === '' || busy) return;
    const done = await wish(() =>
      turn
        ? talk.remote.command('steer', { text, turn: turn.turn })
        : talk.remote.command('message', { text, ...(atOnce && { run: {} }) }),
    );
    if (done) change('');
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className="composer"
      aria-label={turn ? 'Steer' : 'Write'}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={turn ? 'Your note to the mind' : 'Your message'}
        placeholder={turn ? 'Steer: a note the mind sees, without accepting anything' : 'Write to the mind'}
        value={text}
        onChange={(event) => change(event.target.value)}
        onKeyDown={pressed}
      />
      <p className="composer-foot">
        {!turn && (
          <label>
            <input type="checkbox" checked={atOnce} onChange={(event) => setAtOnce(event.target.checked)} />
            <span className="soft"> let it think at once</span>
          </label>
        )}
        <button type="submit" className="act send" disabled={text.trim() === '' || busy}>
          {turn ? 'Steer' : 'Send'}
        </button>
      </p>
      <Refused because={refusal} />
    </form>
  );
}
