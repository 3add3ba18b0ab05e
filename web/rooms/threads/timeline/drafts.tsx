import { useState } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import { kept } from '../../../data/browser-storage.ts';
import { openExplain } from '../../../explain/target.ts';
import { useActions } from '../../../shell/actions.ts';
import { pathOf } from '../../../shell/address.ts';
import { Elsewhere } from '../../../transfer/buttons.tsx';
import { BroughtFrom, CameOf } from '../../../transfer/origin-notes.tsx';
import { Person } from '../../../ui/person.tsx';
import { Refused, useWish } from '../../../ui/request.tsx';
import { Text } from '../../../ui/text/long-text.tsx';
import { visible } from '../../../ui/text/visible.ts';
import { Time } from '../../../ui/time.tsx';
import { EditDraft } from '../../draft-editor.tsx';
import type { Thread } from '../data/thread.ts';
import { notPosted } from '../wording/wake.ts';
import { AuditWords } from './audit-text.tsx';

type Draft = WireThreadState['drafts'][number];

/** Texts that lie beside the thread until somebody decides: posted, posted as edited, or put away (T19). */
export function Drafts({ thread, drafts, target }: DraftsProps) {
  return drafts.map((draft) => (
    <DraftView key={draft.index} thread={thread} draft={draft} isTarget={draft.event === target} />
  ));
}

interface DraftsProps {
  readonly thread: Thread;
  readonly drafts: readonly Draft[];
  /** The event the address points at. */
  readonly target: string | undefined;
}

interface DraftViewProps {
  readonly thread: Thread;
  readonly draft: Draft;
  readonly isTarget: boolean;
}

function DraftView({ thread, draft, isTarget }: DraftViewProps) {
  const { index, event, participant, text, ts, reply_to, held, origin, audit } = draft;
  const keep = `${thread.id}.draft-${index}`;
  const { wish, busy, refusal } = useWish();
  const [isEditing, setEditing] = useState(() => kept.unsent(keep) !== undefined);
  const accept = (edited?: string) =>
    wish(() => thread.remote.command('draft_accept', { index, ...(edited !== undefined && { text: edited }) }));
  const putAway = () => void wish(() => thread.remote.command('draft_discard', { index }));
  const named = `draft ${index} by ${participant}`;
  useActions('This thread', [
    { name: `Post ${named}`, act: () => void accept() },
    { name: `Edit ${named}`, act: () => setEditing(true), when: !isEditing },
    { name: `Put ${named} away`, act: putAway },
  ]);
  return (
    <article
      className={isTarget ? 'entry message draft target' : 'entry message draft'}
      id={event}
      tabIndex={-1}
      aria-label={`Draft ${index} by ${participant}`}
      data-place={pathOf(thread.id, event)}
    >
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
          <EditDraft
            index={index}
            drafted={text}
            keep={keep}
            label={`Draft ${index} as you post it`}
            does={{ same: 'Post it', edited: 'Post it as edited' }}
            looks={{ field: 'draft-text', acts: 'draft-ways', send: 'link' }}
            onSend={accept}
            onLeave={() => setEditing(false)}
          />
        ) : (
          <>
            <div className="draft-text">
              {audit ? <AuditWords thread={thread.id} text={text} facts={audit} /> : <Text text={text} />}
            </div>
            <p className="draft-ways">
              <button type="button" className="link" disabled={busy} onClick={() => void accept()}>
                Post it
              </button>
              <button type="button" className="act" disabled={busy} onClick={() => setEditing(true)}>
                Edit
              </button>
              <button type="button" className="act" disabled={busy} onClick={putAway}>
                Put away
              </button>
              <button type="button" className="act" title="w" onClick={() => openExplain(pathOf(thread.id, event))}>
                Where from
              </button>
              <Elsewhere link={pathOf(thread.id, event)} />
            </p>
          </>
        )}
        <BroughtFrom origin={origin} />
        <CameOf link={pathOf(thread.id, event)} />
        <Refused because={refusal} />
      </div>
      <p className="when">
        <Time ts={ts} />
      </p>
    </article>
  );
}
