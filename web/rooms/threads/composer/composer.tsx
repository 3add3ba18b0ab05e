import { type KeyboardEvent, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import { authorShown } from '../../../../src/core/events/event.ts';
import { kept, type Unsent } from '../../../data/browser-storage.ts';
import { useComposer } from '../../../shell/letter-keys.ts';
import { lazily } from '../../../ui/lazy.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import type { Outgoing } from '../data/outbox.ts';
import type { Thread } from '../data/thread.ts';
import { useTyping } from '../data/typing.ts';
import { textOf } from '../timeline/entries.ts';
import { useMentions } from './mention-list.tsx';
import { unclearIn } from './mentions.ts';

interface ComposerProps {
  readonly thread: Thread;
  readonly state: WireThreadState | undefined;
  readonly replyTo: WireEvent | undefined;
  onReplyDone(): void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

const EVERYONE = 'all';
const WouldWake = lazily(async () => (await import('./wake-preview.tsx')).WouldWake);

/** Where one writes. What is typed is kept at every key, whatever happens to the page or the server. */
export function Composer({ thread, state, replyTo, onReplyDone, field }: ComposerProps) {
  const [unsent, setUnsent] = useState<Unsent>(() => kept.unsent(thread.id) ?? { text: '' });
  const typed = useTyping(thread);
  const would = useId();
  const others = state?.participants.filter(({ id, invited }) => invited && id !== thread.me).map(({ id }) => id) ?? [];
  const to = unsent.to && others.includes(unsent.to) ? unsent.to : EVERYONE;
  useGrowing(field, unsent.text);
  useComposer(field);

  function change(part: Partial<Unsent>): void {
    const next = { ...unsent, ...part };
    setUnsent(next);
    kept.keepUnsent(thread.id, next);
  }

  const words = unsent.text.trim();
  const body = words === '' ? undefined : bodyOf(words);
  function bodyOf(content: string): Outgoing['body'] {
    const type = to !== EVERYONE && unsent.task ? 'task' : 'message';
    const address = to === EVERYONE ? {} : { to };
    return { type, content, ...address, ...(replyTo && { meta: { reply_to: replyTo.id } }) };
  }

  const onText = (text: string) => {
    change({ text });
    typed(text !== '');
  };
  const mentions = useMentions({ field, text: unsent.text, state, me: thread.me, onText });
  const isUnclear = body?.type === 'message' && unclearIn(state?.participants ?? [], words).length > 0;

  function send(): void {
    // Who is meant is asked while it can still be said (T14).
    if (!body || isUnclear) return;
    thread.outbox.send(body);
    if (!thread.stretch.get().atEnd) void thread.showNewest();
    change({ text: '', task: false });
    typed(false);
    onReplyDone();
  }

  function pressed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (mentions.pressed(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      if (replyTo) onReplyDone();
      else event.currentTarget.blur();
    }
  }

  return (
    <form
      className="composer"
      aria-label="Write"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {replyTo && (
        <p className="replying" dir="auto">
          <span className="quoted">
            {authorShown(replyTo)}: {firstLine(textOf(replyTo))}
          </span>
          <button type="button" className="act" onClick={onReplyDone}>
            Not a reply
          </button>
        </p>
      )}
      {mentions.view}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={replyTo ? `Your reply to ${authorShown(replyTo)}` : 'Your message'}
        placeholder={placeholderOf(state)}
        value={unsent.text}
        onChange={(event) => {
          onText(event.target.value);
          mentions.moved();
        }}
        onKeyDown={pressed}
        onSelect={mentions.moved}
        onBlur={mentions.blurred}
        {...mentions.aria}
      />
      <div className="composer-foot">
        <label>
          <span className="soft">to </span>
          <select aria-label="To whom" value={to} onChange={(event) => change({ to: event.target.value })}>
            <option value={EVERYONE}>everyone</option>
            {others.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        {to !== EVERYONE && (
          <label>
            <input
              type="checkbox"
              checked={unsent.task ?? false}
              onChange={(event) => change({ task: event.target.checked })}
            />
            <span className="soft"> as a task</span>
          </label>
        )}
        <Suspense fallback={null}>
          <WouldWake
            id={would}
            thread={thread}
            state={state}
            body={body}
            text={unsent.text}
            onText={(text) => {
              onText(text);
              field.current?.focus();
            }}
          />
        </Suspense>
        <button type="submit" className="act send" disabled={!body || isUnclear} aria-describedby={would}>
          Send
        </button>
      </div>
    </form>
  );
}

function placeholderOf(state: WireThreadState | undefined): string {
  if (state?.paused) return 'Write; agents answer when the thread resumes';
  if (state?.done) return 'Write, and the thread is open again';
  return 'Write';
}

/** The field is as high as its text, up to a third of the window. */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const before = useRef('');
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    if (before.current.length > text.length) element.style.height = 'auto';
    before.current = text;
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
