import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { WireThreadState } from '../../src/client/index.ts';
import { pathOf } from '../address.ts';
import { kept } from '../kept.ts';
import { Person } from '../person.tsx';
import { Refused, useWish } from '../refused.tsx';
import { Text } from '../text/text.tsx';
import { visible } from '../text/visible.ts';
import { Time } from '../time.tsx';
import type { Thread } from './thread.ts';
import { notPosted } from './wake-words.ts';

type Draft = WireThreadState['drafts'][number];

/** Texts that lie beside the thread until somebody decides: posted, posted as edited, or put away (T19). */
export function Drafts({ thread, drafts }: { readonly thread: Thread; readonly drafts: readonly Draft[] }) {
  return drafts.map((draft) => <DraftView key={draft.index} thread={thread} draft={draft} />);
}

function DraftView({ thread, draft }: { readonly thread: Thread; readonly draft: Draft }) {
  const { index, participant, text, ts, reply_to, held } = draft;
  const keep = `${thread.id}.draft-${index}`;
  const { wish, busy, refusal } = useWish();
  const [isEditing, setEditing] = useState(() => kept.unsent(keep) !== undefined);
  const accept = (edited?: string) =>
    wish(() => thread.remote.command('draft_accept', { index, ...(edited !== undefined && { text: edited }) }));
  return (
    <article className="entry message draft" aria-label={`Draft ${index} by ${participant}`}>
      <p className="by">
        <Person id={participant} />
        <span className="to">draft {index}</span>
      </p>
      <div className="said">
        <p className="word" dir="auto">
          {visible(notPosted(held))}
          {reply_to && (
            <>
              {' '}
              <a href={pathOf(thread.id, reply_to)} data-in-page>
                What it answers
              </a>
            </>
          )}
        </p>
        {isEditing ? (
          <Edit draft={draft} keep={keep} onPost={accept} onLeave={() => setEditing(false)} />
        ) : (
          <>
            <div className="draft-text">
              <Text text={text} />
            </div>
            <p className="draft-ways">
              <button type="button" className="link" disabled={busy} onClick={() => void accept()}>
                Post it
              </button>
              <button type="button" className="act" disabled={busy} onClick={() => setEditing(true)}>
                Edit
              </button>
              <button
                type="button"
                className="act"
                disabled={busy}
                onClick={() => void wish(() => thread.remote.command('draft_discard', { index }))}
              >
                Put away
              </button>
            </p>
          </>
        )}
        <Refused because={refusal} />
      </div>
      <p className="when">
        <Time ts={ts} />
      </p>
    </article>
  );
}

interface EditProps {
  readonly draft: Draft;
  readonly keep: string;
  onPost(text: string): Promise<unknown>;
  onLeave(): void;
}

/** The draft as the person makes it. Leaving keeps what was typed. */
function Edit({ draft: { index, text: drafted }, keep, onPost, onLeave }: EditProps) {
  const [text, setText] = useState(() => kept.unsent(keep)?.text ?? drafted);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  async function post(): Promise<void> {
    if (text.trim() !== '' && (await onPost(text))) kept.keepUnsent(keep, undefined);
  }

  function pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') onLeave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void post();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <form
      aria-label={`Edit draft ${index}`}
      onSubmit={(event) => {
        event.preventDefault();
        void post();
      }}
    >
      <textarea
        ref={field}
        className="draft-text"
        aria-label={`Draft ${index} as you post it`}
        dir="auto"
        rows={Math.min(16, Math.ceil(text.length / 60) + 1)}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          kept.keepUnsent(keep, event.target.value === drafted ? undefined : { text: event.target.value });
        }}
        onKeyDown={pressed}
      />
      <p className="draft-ways">
        <button type="submit" className="link" title="Ctrl Enter" disabled={text.trim() === ''}>
          {text === drafted ? 'Post it' : 'Post it as edited'}
        </button>
        <button type="button" className="act" title="Esc" onClick={onLeave}>
          Leave it
        </button>
      </p>
    </form>
  );
}
