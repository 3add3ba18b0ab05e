import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DraftItem } from '../../../src/client/index.ts';
import { parseCursor } from '../../../src/protocol/cursor.ts';
import { useStore } from '../../data/store.ts';
import { RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { addRow, markThreadRead } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate, threadPath } from '../../shell/address.ts';
import { SidePanel, showPanel } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { download } from '../../ui/files.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { archiveName, archivePath } from './archive.ts';
import { DialogueComposer } from './composer.tsx';
import { ConfigSheet } from './config-sheet.tsx';
import { AwaySummary, isWorthShowing } from './drafts/away-summary.tsx';
import { DraftList, type SelectedPassage } from './drafts/draft-list.tsx';
import { useEngagement } from './engagement.ts';
import { DialogueHeader } from './header.tsx';
import { History } from './history.tsx';
import { type LiveDialogue, openLiveDialogue } from './live-dialogue.ts';
import { Message } from './message.tsx';
import { DialoguePanel } from './panel/panel.tsx';
import { DialogueRunBar } from './run-bar.tsx';
import '../pool/room.css';
import './dialogue.css';
import './panel/panel.css';
import './drafts/signals.css';

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
  const { phase, problem } = useStore(dialogue.loadState);
  const status = useStore(dialogue.status);
  const away = useStore(dialogue.away);
  const [selection, setSelection] = useState<SelectedPassage>();
  const [isConfiguring, setConfiguring] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { attempt, refusal } = useAttempt();
  const turn = status?.turn;
  const [latestPair] = useStore(dialogue.history).pairs;
  const acceptedLink =
    latestPair &&
    threadPath({ id: dialogue.id, kind: 'dialogue' }, `${latestPair.turn}.${latestPair.accepted_draft_index}`);
  useEngagement(dialogue, phase === 'ready');

  const accept = useCallback(
    async (draft: Pick<DraftItem, 'index'>, text?: string) => {
      const openTurn = dialogue.status.get()?.turn;
      if (!openTurn) return undefined;
      // Always send the visible index and its turn, so that it can never mean another draft (D5).
      const acceptInput = { turn: openTurn.turn, draft: draft.index, ...(text !== undefined && { text }) };
      const outcome = await attempt(() => dialogue.remote.command('accept', acceptInput));
      if (!outcome) return undefined;
      dialogue.away.set(undefined);
      setAnnouncement(`Accepted draft ${draft.index}.`);
      requestAnimationFrame(() => area.current?.scrollTo({ top: 0 }));
      return outcome;
    },
    [dialogue, attempt],
  );

  const selectPassage = useCallback((next: SelectedPassage) => {
    setSelection(next);
    showPanel();
  }, []);

  async function fork(): Promise<void> {
    const outcome = await attempt(() => dialogue.remote.command('fork', turn ? { seq: turn.fork_at } : {}));
    if (!outcome) return;
    addRow(outcome.thread);
    navigate(threadPath(outcome.thread));
  }

  const { hasMore } = useStore(dialogue.history);
  const buffer = useStore(dialogue.buffer);
  const hasOlder = turn !== null && buffer.drafts.length < buffer.total;
  const focusComposer = () => field.current?.focus();
  useActions('This dialogue', [
    { name: turn ? 'Steer the mind' : 'Write', keys: turn ? ['s', 'c'] : ['c', 's'], act: focusComposer },
    { name: 'Settings of the mind', act: () => setConfiguring(true) },
    { name: turn ? 'Another topic beside this' : 'Fork', act: () => void fork() },
    { name: 'All drafts as a file', act: () => download(archivePath(dialogue.id), archiveName(dialogue.id)) },
    { name: 'Show older drafts', act: () => void dialogue.showOlder(), when: hasOlder },
    { name: 'Show earlier turns', act: () => void dialogue.showEarlier(), when: hasMore },
  ]);
  useLayoutEffect(() => {
    if (phase === 'ready' && !dialogue.status.get()?.turn && dialogue.history.get().pairs.length === 0)
      field.current?.focus();
  }, [phase, dialogue]);
  useReadMark(dialogue);

  if (phase === 'missing') return <RoomNotFound kind="dialogue" problem={problem} />;
  if (phase === 'loading' || !status) return <main aria-busy="true" />;
  const [turnNumber, index] = (at ?? '').split('.').map(Number);
  const target = turn && turnNumber === turn.turn && index ? index : undefined;
  return (
    <>
      <main className="room" aria-label="Dialogue">
        <DialogueHeader id={dialogue.id} status={status} acceptedLink={acceptedLink} />
        {turn && <DialogueRunBar dialogue={dialogue} status={status} />}
        <div className="talk" ref={area}>
          <div className="talk-inside">
            <RefusalMessage reason={refusal} />
            {turn && <Message key={`message-${turn.turn}`} dialogue={dialogue} turn={turn} />}
            {turn && away && isWorthShowing(away) && away.turn === turn.turn && (
              <AwaySummary
                away={away}
                onAccept={(best) => void accept({ index: best })}
                onRead={(best) => navigate(`/dialogue/${encodeURIComponent(dialogue.id)}#${turn.turn}.${best}`)}
                onDismiss={() => dialogue.away.set(undefined)}
              />
            )}
            {turn && (
              <DraftList
                key={`drafts-${turn.turn}`}
                dialogue={dialogue}
                status={status}
                area={area}
                selection={selection}
                target={target}
                accept={accept}
                onSelect={selectPassage}
              />
            )}
            {!turn && status.iter === 0 && <EmptyDialogue />}
            <History
              dialogue={dialogue}
              highlight={selection}
              target={turn && turnNumber === turn.turn ? undefined : turnNumber}
              onSelect={(turnNumber, draft, sentence) => selectPassage({ turn: turnNumber, draft, sentence })}
            />
          </div>
        </div>
        <DialogueComposer
          key={turn ? 'steer' : `message-${dialogue.history.get().pairs[0]?.turn ?? 0}`}
          dialogue={dialogue}
          status={status}
          field={field}
        />
      </main>
      <SidePanel label="Thoughts">
        <DialoguePanel
          dialogue={dialogue}
          status={status}
          selection={selection}
          fork={() => void fork()}
          onSelect={selectPassage}
          onConfigure={() => setConfiguring(true)}
        />
      </SidePanel>
      {isConfiguring && <ConfigSheet dialogue={dialogue} onClose={() => setConfiguring(false)} />}
      <Announcer text={announcement} />
      <DraftAnnouncer dialogue={dialogue} />
    </>
  );
}

/** Announces new drafts to screen readers. */
function DraftAnnouncer({ dialogue }: { readonly dialogue: LiveDialogue }) {
  const [newest] = useStore(dialogue.buffer).drafts;
  const [firstIndex] = useState(newest?.index ?? 0);
  if (!newest || newest.index === firstIndex) return <Announcer text="" />;
  return <Announcer text={newest.signal ? `Signal ${newest.text.trim()}` : `Draft ${newest.index} is there.`} />;
}

function EmptyDialogue() {
  return (
    <p className="empty soft">
      Write, and a mind begins to draft an answer. It goes on until you accept one; nothing is sent before.
    </p>
  );
}

/** Marks visible content as read, so that the thread list does not show it as new. */
function useReadMark(dialogue: LiveDialogue): void {
  const status = useStore(dialogue.status);
  useEffect(() => {
    if (status && document.visibilityState === 'visible')
      markThreadRead(dialogue.id, Number(parseCursor('thread', status.head)));
  }, [dialogue, status]);
}
