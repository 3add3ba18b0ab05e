import { Clock, Pencil, RotateCcw, X } from 'lucide-react';
import type { Attachment } from '../../../../src/client/index.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Name } from '../../../ui/people/participant.tsx';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import type { OutgoingMessage } from '../data/outbox.ts';
import { RowFace } from './author.tsx';
import styles from './message.module.css';

interface OutgoingEntryProps {
  readonly item: OutgoingMessage;
  readonly me: string;
  readonly isConnected: boolean;
  onSendAgain(): void;
  onEdit(): void;
  onWithdraw(): void;
}

/** A message that is not in the timeline yet: it looks like its future entry and says what it waits for. */
export function OutgoingEntry({ item, me, isConnected, onSendAgain, onEdit, onWithdraw }: OutgoingEntryProps) {
  const { content, to } = item.body;
  return (
    <article
      className={`${styles.row} ${styles.queued} entry message outgoing${item.refusal ? ' not-sent' : ''}`}
      data-command={item.command}
    >
      <RowFace id={me} />
      <div className={styles.content}>
        <div className={styles.by}>
          <b>
            <Name id={me} />
          </b>
          {to && to !== 'all' && <span className={styles.fact}>to {[to].flat().join(', ')}</span>}
          {!item.refusal && (isConnected ? <span className={styles.fact}>sending</span> : <WaitingTag />)}
        </div>
        <div className={styles.text}>
          <LongText text={typeof content === 'string' ? content : content.text} />
          <AttachmentList attachments={item.body.meta?.attachments as readonly Attachment[] | undefined} />
        </div>
        {item.refusal && (
          <p className="refused" role="alert">
            Not sent. {escapeBidi(item.refusal)}
          </p>
        )}
        {(item.refusal || !isConnected) && (
          <div className={styles.buttons}>
            {item.refusal && (
              <Button icon={RotateCcw} onClick={onSendAgain}>
                Send again
              </Button>
            )}
            <Button kind="quiet" icon={Pencil} onClick={onEdit}>
              Edit
            </Button>
            <Button kind="quiet" icon={X} onClick={onWithdraw}>
              Withdraw
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}

function WaitingTag() {
  return <Tag icon={Clock}>Waits for a connection</Tag>;
}
