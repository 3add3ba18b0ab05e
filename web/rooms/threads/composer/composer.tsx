import { AtSign, CornerUpLeft, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import type { WireEvent, WireThreadState } from '../../../../src/client/index.ts';
import { authorLabelOf } from '../../../../src/core/events/event.ts';
import { browserStorage, type UnsentMessage } from '../../../data/browser-storage.ts';
import { useLetterField } from '../../../shell/letter-keys.ts';
import { ComposerBox } from '../../../ui/composer-box.tsx';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { lazyWithRetry } from '../../../ui/lazy.ts';
import { isSendKey } from '../../../ui/send-key.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { useAttachments } from '../../attachments/use-attachments.tsx';
import type { OutgoingMessage } from '../data/outbox.ts';
import type { OpenThread } from '../data/thread.ts';
import { useTyping } from '../data/typing.ts';
import { eventText } from '../timeline/entries.ts';
import styles from './composer.module.css';
import { useMentions } from './mention-list.tsx';
import { ambiguousMentions } from './mentions.ts';
import { EVERYONE, RecipientMenu } from './recipient-menu.tsx';

interface ThreadComposerProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
  readonly replyTo: WireEvent | undefined;
  onReplyDone(): void;
  /** Edits the newest message of one's own. */
  onEditLast(): void;
  /** Opens the rules of who answers. */
  onChangeRules(): void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

const WakePreview = lazyWithRetry(async () => (await import('./wake-preview.tsx')).WakePreview);

/** The message composer. Every key press is stored, so text survives a failure of the page or the server. */
export function Composer({
  thread,
  state,
  replyTo,
  onReplyDone,
  onEditLast,
  onChangeRules,
  field,
}: ThreadComposerProps) {
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

  const files = useAttachments(thread.id, field);
  const trimmed = unsent.text.trim();
  const body = (trimmed === '' && !files.hasFiles) || !files.isReady ? undefined : buildBody(files.messageOf(trimmed));
  function buildBody({ text: content, attachments }: ReturnType<typeof files.messageOf>): OutgoingMessage['body'] {
    const type = to !== EVERYONE && unsent.task ? 'task' : 'message';
    const address = to === EVERYONE ? {} : { to };
    const meta = { ...(replyTo && { reply_to: replyTo.id }), ...(attachments && { attachments }) };
    return { type, content, ...address, ...(Object.keys(meta).length > 0 && { meta }) };
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
    files.clear();
    reportTyping(false);
    onReplyDone();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (mentions.handleKey(event)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      send();
    } else if (event.key === 'ArrowUp' && unsent.text === '' && !files.hasFiles && !replyTo) {
      event.preventDefault();
      onEditLast();
    } else if (event.key === 'Escape') {
      if (replyTo) onReplyDone();
      else event.currentTarget.blur();
    }
  }

  /** Begins a mention where the caret is. */
  function beginMention(): void {
    const element = field.current;
    if (!element) return;
    const [start, end] = [element.selectionStart, element.selectionEnd];
    const isInWord = /[\p{L}\p{N}]$/u.test(unsent.text.slice(0, start));
    mentions.moveTo(start + (isInWord ? 2 : 1));
    onText(`${unsent.text.slice(0, start)}${isInWord ? ' @' : '@'}${unsent.text.slice(end)}`);
    element.focus();
  }

  return (
    <div className={styles.dock}>
      {mentions.view}
      <ComposerBox
        label="Write"
        above={
          <>
            {replyTo && (
              <p className={styles.replying} dir="auto">
                <Glyph icon={CornerUpLeft} size={14} />
                <span>
                  {escapeBidi(authorLabelOf(replyTo))}: {firstLine(eventText(replyTo))}
                </span>
                <IconButton icon={X} label="Not a reply" shortcut="Esc" onClick={onReplyDone} />
              </p>
            )}
            {files.tray}
          </>
        }
        field={{
          ref: field,
          'aria-label': replyTo ? `Your reply to ${authorLabelOf(replyTo)}` : 'Your message',
          placeholder: placeholderOf(state),
          value: unsent.text,
          onChange: (event) => {
            onText(event.target.value);
            mentions.onCaretMove();
          },
          onKeyDown,
          onPaste: files.onPaste,
          onSelect: mentions.onCaretMove,
          onBlur: mentions.onBlur,
          ...mentions.aria,
        }}
        tools={
          <>
            {files.button}
            <IconButton icon={AtSign} label="Mention someone" shortcut="@" onClick={beginMention} />
            {others.length > 0 && (
              <RecipientMenu
                to={to}
                others={others}
                isTask={unsent.task ?? false}
                onTo={(next) => updateUnsent({ to: next, ...(next === EVERYONE && { task: false }) })}
                onTask={(task) => updateUnsent({ task })}
              />
            )}
          </>
        }
        hint={<span className={styles.key}>Enter to send</span>}
        sendLabel="Send"
        canSend={body !== undefined && !isAmbiguous}
        describedBy={previewId}
        onSend={send}
      >
        {/* Keeps the place, so that no button moves from under a pointer when the line comes. */}
        <Suspense fallback={<div className={styles.who} />}>
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
            onChange={onChangeRules}
          />
        </Suspense>
      </ComposerBox>
    </div>
  );
}

function placeholderOf(state: WireThreadState | undefined): string {
  if (state?.paused) return 'Write; agents answer when the thread resumes';
  if (state?.done) return 'Write, and the thread is open again';
  if (state?.messages === 0) return 'Write the first message';
  return state ? `Message ${escapeBidi(state.title)}` : 'Write';
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
