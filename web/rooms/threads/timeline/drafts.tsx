import { Check, ChevronDown, ChevronRight, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { useActions } from '../../../shell/actions.ts';
import { conversationPath } from '../../../shell/address.ts';
import { BroughtNote, OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { Glyph } from '../../../ui/icon.tsx';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { Tag } from '../../../ui/status/badge.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { firstLine } from '../../../ui/text/first-line.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { DraftEditor } from '../../draft-editor.tsx';
import { TextActions } from '../../text-actions.tsx';
import type { OpenThread } from '../data/thread.ts';
import { notPostedText } from '../wording/wake.ts';
import { AuditText } from './audit-text.tsx';
import { ClockTime } from './clock-time.tsx';
import styles from './drafts.module.css';

export type TimelineDraft = WireThreadState['drafts'][number];

interface DraftsProps {
  readonly thread: OpenThread;
  readonly drafts: readonly TimelineDraft[] | undefined;
  /** It is the only draft of the thread. */
  readonly isAlone: boolean;
  /** The event the address points at. */
  readonly target: string | undefined;
}

/** Drafts that wait for a decision: post, post as edited, or dismiss (T19). */
export function Drafts({ thread, drafts = [], isAlone, target }: DraftsProps) {
  return drafts.map((draft) => (
    <DraftItem key={draft.index} thread={thread} draft={draft} isAlone={isAlone} isTarget={draft.event === target} />
  ));
}

interface DraftItemProps {
  readonly thread: OpenThread;
  readonly draft: TimelineDraft;
  readonly isAlone: boolean;
  readonly isTarget: boolean;
}

/** Folded to one line, until it is opened or a link leads to it. */
function DraftItem({ thread, draft, isAlone, isTarget }: DraftItemProps) {
  const { index, event, participant, text, ts, reply_to, held, origin, audit } = draft;
  const draftKey = `${thread.id}.draft-${index}`;
  const { attempt, busy, refusal } = useAttempt();
  const [isEditing, setEditing] = useState(() => browserStorage.unsent(draftKey) !== undefined);
  const [isUnfolded, setUnfolded] = useState(false);
  const isOpen = isUnfolded || isTarget || isEditing;
  const accept = (edited?: string) =>
    attempt(() => thread.remote.command('draft_accept', { index, ...(edited !== undefined && { text: edited }) }));
  const discard = () => void attempt(() => thread.remote.command('draft_discard', { index }));
  const draftLabel = `draft ${index} by ${participant}`;
  useActions('This thread', [
    { name: `Post ${draftLabel}`, act: () => void accept() },
    { name: `Edit ${draftLabel}`, act: () => setEditing(true), when: !isEditing },
    { name: `Dismiss ${draftLabel}`, act: discard },
  ]);
  return (
    <article
      className={`${styles.draft} entry draft${isTarget ? ' target' : ''}`}
      id={event}
      tabIndex={-1}
      aria-label={`Draft ${index} by ${participant}`}
      data-place={conversationPath(thread.id, event)}
    >
      <Button kind="quiet" className={styles.line} aria-expanded={isOpen} onClick={() => setUnfolded(!isOpen)}>
        <Glyph icon={isOpen ? ChevronDown : ChevronRight} size={14} />
        <Face id={participant} size="small" />
        <span className={styles.summary} dir="auto">
          <b>
            <Name id={participant} />
          </b>{' '}
          drafted an answer{!isOpen && `: ${firstLine(text)}`}
        </span>
        <Tag tone="needs">Waits for you</Tag>
      </Button>
      {isOpen && (
        <div className={styles.body}>
          <p className={styles.why} dir="auto">
            Draft {index} · <ClockTime ts={ts} /> · {escapeBidi(notPostedText(held))}
            {reply_to && (
              <>
                {' '}
                <a href={conversationPath(thread.id, reply_to)} data-in-page>
                  In reply to
                </a>
              </>
            )}
          </p>
          {isEditing ? (
            <DraftEditor
              formLabel={`Edit draft ${index}`}
              original={text}
              draftKey={draftKey}
              label={`Draft ${index} as you post it`}
              submitLabels={{ same: 'Post', edited: 'Post as edited' }}
              classNames={{ field: styles.field as string, acts: styles.acts as string, send: styles.send as string }}
              onSend={accept}
              onCancel={() => setEditing(false)}
            />
          ) : (
            <>
              <div className={styles.text}>
                {audit ? <AuditText thread={thread.id} text={text} facts={audit} /> : <LongText text={text} />}
              </div>
              <div className={styles.acts}>
                <Button
                  kind={isAlone ? 'primary' : 'secondary'}
                  icon={Check}
                  disabled={busy}
                  onClick={() => void accept()}
                >
                  Post
                </Button>
                <Button icon={Pencil} disabled={busy} onClick={() => setEditing(true)}>
                  Edit
                </Button>
                <Button kind="quiet" icon={X} disabled={busy} onClick={discard}>
                  Dismiss
                </Button>
                <TextActions link={conversationPath(thread.id, event)} text={text} />
              </div>
            </>
          )}
          <BroughtNote origin={origin} />
          <OpenedThreads link={conversationPath(thread.id, event)} />
          <RefusalMessage reason={refusal} />
        </div>
      )}
    </article>
  );
}
