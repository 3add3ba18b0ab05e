import { type KeyboardEvent, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { browserStorage, type UnsentMessage } from '../../../data/browser-storage.ts';
import { useLetterField } from '../../../shell/letter-keys.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import { handleSubmit } from '../../../ui/handle-submit.ts';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import type { OutgoingMessage } from '../data/outbox.ts';
import type { OpenThread } from '../data/thread.ts';
import { useTyping } from '../data/typing.ts';
import { eventText } from '../timeline/entries.ts';
import { useMentions } from './mention-list.tsx';
import { ambiguousMentions } from './mentions.ts';

interface ThreadComposerProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
  readonly replyTo: WireEvent | undefined;
  onReplyDone(): void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

const EVERYONE = 'all';
const WakePreview = lazyWithRetry(async () => (await import('./wake-preview.tsx')).WakePreview);

/** The message composer. Every key press is stored, so text survives a failure of the page or the server. */
export function Composer({ thread, state, replyTo, onReplyDone, field }: ThreadComposerProps) {
  const [unsent, setUnsent] = useState<UnsentMessage>(() => browserStorage.unsent(thread.id) ?? { text: '' });
  const reportTyping = useTyping(thread);
  const previewId = useId();
  const others = state?.participants.filter(({ id, invited }) => invited && id !== thread.me).map(({ id }) => id) ?? [];
  const to = unsent.to && others.includes(unsent.to) ? unsent.to : EVERYONE;
  useAutoHeight(field, unsent.text);
  useLetterField(field);

  function updateUnsent(changes: Partial<UnsentMessage>): void {
    const next = { ...unsent, ...changes };
    setUnsent(next);
    browserStorage.setUnsent(thread.id, next);
  }

  const trimmed = unsent.text.trim();
  const body = trimmed === '' ? undefined : buildBody(trimmed);
  function buildBody(content: string): OutgoingMessage['body'] {
    const type = to !== EVERYONE && unsent.task ? 'task' : 'message';
    const address = to === EVERYONE ? {} : { to };
    return { type, content, ...address, ...(replyTo && { meta: { reply_to: replyTo.id } }) };
  }

  const onText = (text: string) => {
    updateUnsent({ text });
    reportTyping(text !== '');
  };
  const mentions = useMentions({ field, text: unsent.text, state, me: thread.me, onText });
  const isAmbiguous = body?.type === 'message' && ambiguousMentions(state?.participants ?? [], trimmed).length > 0;

  function send(): void {
    // Ambiguous mentions must be resolved before sending (T14).
    if (!body || isAmbiguous) return;
    thread.outbox.send(body);
    if (!thread.range.get().atEnd) void thread.showNewest();
    updateUnsent({ text: '', task: false });
    reportTyping(false);
    onReplyDone();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (mentions.handleKey(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') {
      if (replyTo) onReplyDone();
      else event.currentTarget.blur();
    }
  }

  return (
    <form className="composer" aria-label="Write" onSubmit={handleSubmit(send)}>
      {replyTo && (
        <p className="replying" dir="auto">
          <span className="quoted">
            {authorLabelOf(replyTo)}: {firstLine(eventText(replyTo))}
          </span>
          <ActionButton onClick={onReplyDone}>Not a reply</ActionButton>
        </p>
      )}
      {mentions.view}
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label={replyTo ? `Your reply to ${authorLabelOf(replyTo)}` : 'Your message'}
        placeholder={placeholderOf(state)}
        value={unsent.text}
        onChange={(event) => {
          onText(event.target.value);
          mentions.onCaretMove();
        }}
        onKeyDown={onKeyDown}
        onSelect={mentions.onCaretMove}
        onBlur={mentions.onBlur}
        {...mentions.aria}
      />
      <div className="composer-foot">
        <label>
          <span className="soft">to </span>
          <select aria-label="To whom" value={to} onChange={(event) => updateUnsent({ to: event.target.value })}>
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
              onChange={(event) => updateUnsent({ task: event.target.checked })}
            />
            <span className="soft"> as a task</span>
          </label>
        )}
        <Suspense fallback={null}>
          <WakePreview
            id={previewId}
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
        <button type="submit" className="act send" disabled={!body || isAmbiguous} aria-describedby={previewId}>
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

/** The field grows with its text, up to a third of the window. */
function useAutoHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const previousText = useRef('');
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    if (previousText.current.length > text.length) element.style.height = 'auto';
    previousText.current = text;
    element.style.height = `${element.scrollHeight}px`;
  }, [field, text]);
}
