import { useContext, useEffect, useState } from 'react';
import { parseCursor } from '../../../src/protocol/cursor.ts';
import { useStore } from '../../data/store.ts';
import { RoomLoading, RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { markThreadRead } from '../../data/workspace.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { People } from '../../ui/people/people.ts';
import { useEngagement } from './engagement.ts';
import { type LiveDialogue, openLiveDialogue } from './live-dialogue.ts';
import { Talk } from './talk.tsx';

interface DialogueRoomProps {
  readonly id: string;
  readonly me: string;
  /** The draft that the URL points to, as `turn.index`. */
  readonly at: string | undefined;
}

/** The room of one dialogue. */
export function DialogueRoom({ id, me, at }: DialogueRoomProps) {
  const dialogue = useOpenRoom(openLiveDialogue, id, me);
  return dialogue ? <OpenDialogueRoom key={id} dialogue={dialogue} at={at} /> : <main aria-busy="true" />;
}

function OpenDialogueRoom({ dialogue, at }: { readonly dialogue: LiveDialogue; readonly at: string | undefined }) {
  const { phase, problem, isOutOfReach } = useStore(dialogue.loadState);
  const status = useStore(dialogue.status);
  const known = useContext(People);
  useEngagement(dialogue, phase === 'ready');
  useReadMark(dialogue);
  if (phase === 'missing') return <RoomNotFound kind="dialogue" problem={problem} />;
  if (phase === 'loading' || !status) return <RoomLoading isOutOfReach={isOutOfReach} />;
  const { self } = status;
  return (
    <People value={(id) => known(id) ?? (id === self ? { name: self, kind: 'model' } : undefined)}>
      <Talk dialogue={dialogue} status={status} at={at} />
      <DraftAnnouncer dialogue={dialogue} />
    </People>
  );
}

/** Announces new drafts to screen readers. */
function DraftAnnouncer({ dialogue }: { readonly dialogue: LiveDialogue }) {
  const [newest] = useStore(dialogue.buffer).drafts;
  const [firstIndex] = useState(newest?.index ?? 0);
  if (!newest || newest.index === firstIndex) return <Announcer text="" />;
  return <Announcer text={newest.signal ? `Signal ${newest.text.trim()}` : `Draft ${newest.index} is ready.`} />;
}

/** Marks visible content as read, so that the thread list does not show it as new. */
function useReadMark(dialogue: LiveDialogue): void {
  const status = useStore(dialogue.status);
  useEffect(() => {
    if (status && document.visibilityState === 'visible')
      markThreadRead(dialogue.id, Number(parseCursor('thread', status.head)));
  }, [dialogue, status]);
}
