import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { browserStorage } from '../../../data/browser-storage.ts';
import { openExplain } from '../../../explain/target.ts';
import { useActions } from '../../../shell/actions.ts';
import { conversationPath } from '../../../shell/address.ts';
import { TransferButtons } from '../../../transfer/buttons.tsx';
import { BroughtNote, OpenedThreads } from '../../../transfer/origin-notes.tsx';
import { ActionButton } from '../../../ui/action-button.tsx';
import { Person } from '../../../ui/person.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { Time } from '../../../ui/time.tsx';
import { DraftEditor } from '../../draft-editor.tsx';
import type { OpenThread } from '../data/thread.ts';
import { notPostedText } from '../wording/wake.ts';
import { AuditText } from './audit-text.tsx';

type TimelineDraft = WireThreadState['drafts'][number];

/** Drafts that wait for a decision: post, post as edited, or dismiss (T19). */
export function Drafts({ thread, drafts, target }: ThreadDraftsProps) {
  return drafts.map((draft) => (
    <DraftItem key={draft.index} thread={thread} draft={draft} isTarget={draft.event === target} />
  ));
}

interface ThreadDraftsProps {
  readonly thread: OpenThread;
  readonly drafts: readonly TimelineDraft[];
  /** The event the address points at. */
  readonly target: string | undefined;
}

interface DraftItemProps {
  readonly thread: OpenThread;
  readonly draft: TimelineDraft;
  readonly isTarget: boolean;
}

function DraftItem({ thread, draft, isTarget }: DraftItemProps) {
  const { index, event, participant, text, ts, reply_to, held, origin, audit } = draft;
  const draftKey = `${thread.id}.draft-${index}`;
  const { attempt, busy, refusal } = useAttempt();
  const [isEditing, setEditing] = useState(() => browserStorage.unsent(draftKey) !== undefined);
  const accept = (edited?: string) =>
    attempt(() => thread.remote.command('draft_accept', { index, ...(edited !== undefined && { text: edited }) }));
  const discard = () => void attempt(() => thread.remote.command('draft_discard', { index }));
  const draftLabel = `draft ${index} by ${participant}`;
  useActions('This thread', [
    { name: `Post ${draftLabel}`, act: () => void accept() },
    { name: `Edit ${draftLabel}`, act: () => setEditing(true), when: !isEditing },
    { name: `Put ${draftLabel} away`, act: discard },
  ]);
  return (
    <article
      className={isTarget ? 'entry message draft target' : 'entry message draft'}
      id={event}
      tabIndex={-1}
      aria-label={`Draft ${index} by ${participant}`}
      data-place={conversationPath(thread.id, event)}
    >
      <p className="by">
        <Person id={participant} />
        <span className="to">draft {index}</span>
      </p>
      <div className="said">
        <p className="word" dir="auto">
          {escapeBidi(notPostedText(held))}
          {reply_to && (
            <>
              {' '}
              <a href={conversationPath(thread.id, reply_to)} data-in-page>
                What it answers
              </a>
            </>
          )}
        </p>
        {isEditing ? (
          <DraftEditor
            index={index}
            original={text}
            draftKey={draftKey}
            label={`Draft ${index} as you post it`}
            submitLabels={{ same: 'Post it', edited: 'Post it as edited' }}
            classNames={{ field: 'draft-text', acts: 'draft-ways', send: 'link' }}
            onSend={accept}
            onCancel={() => setEditing(false)}
          />
        ) : (
          <>
            <div className="draft-text">
              {audit ? <AuditText thread={thread.id} text={text} facts={audit} /> : <LongText text={text} />}
            </div>
            <p className="draft-ways">
              <button type="button" className="link" disabled={busy} onClick={() => void accept()}>
                Post it
              </button>
              <ActionButton disabled={busy} onClick={() => setEditing(true)}>
                Edit
              </ActionButton>
              <ActionButton disabled={busy} onClick={discard}>
                Dismiss
              </ActionButton>
              <ActionButton title="w" onClick={() => openExplain(conversationPath(thread.id, event))}>
                Source
              </ActionButton>
              <TransferButtons link={conversationPath(thread.id, event)} />
            </p>
          </>
        )}
        <BroughtNote origin={origin} />
        <OpenedThreads link={conversationPath(thread.id, event)} />
        <RefusalMessage reason={refusal} />
      </div>
      <p className="when">
        <Time ts={ts} />
      </p>
    </article>
  );
}
