import { type KeyboardEvent, useEffect, useState } from 'react';
import type { ThreadRow } from '../../src/client/index.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { client } from '../data/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { PlainArea, PlainInput } from '../ui/controls/plain-field.tsx';
import { showToast } from '../ui/floating/toast.tsx';
import { focusOnMount } from '../ui/focus.ts';
import { handleSubmit } from '../ui/handle-submit.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { loadEventText } from './event-text.ts';
import styles from './need-card.module.css';
import { useKeptText } from './use-kept-text.ts';

interface AnswerFormProps {
  readonly row: ThreadRow;
  /** Whom the answer is for. */
  readonly name: string;
  readonly kind: 'primary' | 'secondary';
}

/** Answers the audit that the rounds wait for. The text is the one of the room's own field. */
export function AnswerForm({ row, name, kind }: AnswerFormProps) {
  const [text, setText] = useKeptText(row.id);
  const { attempt, busy, refusal } = useAttempt();
  const send = async () => {
    if (text.trim() === '' || !(await attempt(() => client.thread(row.id).command('observe', { text })))) return;
    setText('');
    showToast({ message: 'Answered. The rounds continue.' });
  };
  return (
    <form className={styles.form} aria-label={`Answer ${name}`} onSubmit={handleSubmit(send)}>
      <PlainInput
        aria-label={`Answer ${name}`}
        placeholder={`Answer ${name}`}
        dir="auto"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      <Button type="submit" kind={text.trim() === '' ? 'secondary' : kind} disabled={busy}>
        Answer
      </Button>
      <RefusalMessage reason={refusal} />
    </form>
  );
}

interface ReplyFormProps {
  readonly row: ThreadRow;
  readonly event: string;
  readonly name: string;
  onClose(): void;
}

export function ReplyForm({ row, event, name, onClose }: ReplyFormProps) {
  const key = `${row.id}.reply-${event}`;
  const [text, setText] = useKeptText(key);
  const { attempt, busy, refusal } = useAttempt();
  const send = async () => {
    const content = text.trim();
    const post = () => client.thread(row.id).post({ type: 'message', content, meta: { reply_to: event } });
    if (content === '' || !(await attempt(post))) return;
    browserStorage.setUnsent(key, undefined);
    showToast({ message: 'Reply sent.' });
    onClose();
  };
  return (
    <form className={styles.form} aria-label={`Reply to ${name}`} onSubmit={handleSubmit(send)}>
      <PlainArea
        ref={focusOnMount}
        aria-label={`Reply to ${name}`}
        placeholder={`Reply to ${name}`}
        dir="auto"
        rows={1}
        value={text}
        onChange={(change) => setText(change.target.value)}
        onKeyDown={(pressed) => sendOrClose(pressed, send, onClose)}
      />
      <Button type="submit" kind={text.trim() === '' ? 'secondary' : 'primary'} disabled={busy}>
        Send
      </Button>
      <RefusalMessage reason={refusal} />
    </form>
  );
}

/** Lets the rounds continue after a restart request; the minds see the reason. */
export function AcknowledgeForm({ row, onClose }: { readonly row: ThreadRow; onClose(): void }) {
  const key = `${row.id}.decide.acknowledge`;
  const [text, setText] = useKeptText(key);
  const { attempt, busy, refusal } = useAttempt();
  const send = async () => {
    const reason = text.trim();
    const decide = () => client.thread(row.id).command('decide', { decision: 'acknowledge', reason });
    if (reason === '' || !(await attempt(decide))) return;
    browserStorage.setUnsent(key, undefined);
    showToast({ message: 'Acknowledged. The rounds go on.' });
  };
  return (
    <form className={styles.form} aria-label="Acknowledge the request" onSubmit={handleSubmit(send)}>
      <PlainInput
        ref={focusOnMount}
        aria-label="Your answer to the minds"
        placeholder="Your answer to the minds; the exchange continues unchanged"
        dir="auto"
        autoComplete="off"
        maxLength={4000}
        value={text}
        onChange={(change) => setText(change.target.value)}
        onKeyDown={(pressed) => pressed.key === 'Escape' && onClose()}
      />
      <Button type="submit" kind={text.trim() === '' ? 'secondary' : 'primary'} disabled={busy}>
        Acknowledge
      </Button>
      <RefusalMessage reason={refusal} />
    </form>
  );
}

interface EditFormProps {
  readonly row: ThreadRow;
  readonly index: number;
  /** The event that holds the whole draft. */
  readonly event: string;
  onClose(): void;
}

/** Posts a draft as the person changes it. */
export function EditForm({ row, index, event, onClose }: EditFormProps) {
  const [original, setOriginal] = useState<string>();
  const { attempt, refusal } = useAttempt();
  useEffect(() => {
    void attempt(() => loadEventText(row.id, event)).then(setOriginal);
  }, [attempt, row.id, event]);
  if (original === undefined) return <RefusalMessage reason={refusal} />;
  return <LoadedEditForm row={row} index={index} original={original} onClose={onClose} />;
}

interface LoadedEditFormProps extends Omit<EditFormProps, 'event'> {
  readonly original: string;
}

function LoadedEditForm({ row, index, original, onClose }: LoadedEditFormProps) {
  const key = `${row.id}.draft-${index}`;
  const [text, setText] = useKeptText(key, original);
  const { attempt, busy, refusal } = useAttempt();
  const send = async () => {
    const input = { index, ...(text !== original && { text }) };
    if (text.trim() === '' || !(await attempt(() => client.thread(row.id).command('draft_accept', input)))) return;
    browserStorage.setUnsent(key, undefined);
    showToast({ message: 'Posted.' });
  };
  return (
    <form className={styles.edit} aria-label={`Edit draft ${index}`} onSubmit={handleSubmit(send)}>
      <PlainArea
        ref={focusOnMount}
        aria-label={`Draft ${index} as you post it`}
        dir="auto"
        value={text}
        onChange={(change) => setText(change.target.value)}
        onKeyDown={(pressed) => {
          if (pressed.key === 'Escape' || pressed.ctrlKey || pressed.metaKey) sendOrClose(pressed, send, onClose);
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" kind="primary" disabled={busy}>
          {text === original ? 'Post' : 'Post as edited'}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
      <RefusalMessage reason={refusal} />
    </form>
  );
}

function leaveOnEscape(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'Escape') event.currentTarget.blur();
}

function sendOrClose(event: KeyboardEvent, send: () => unknown, close: () => void): void {
  if (event.nativeEvent.isComposing || event.shiftKey || (event.key !== 'Enter' && event.key !== 'Escape')) return;
  event.preventDefault();
  if (event.key === 'Escape') close();
  else void send();
}
