import { MessageCircle } from 'lucide-react';
import { Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DialogueStatus, DraftItem } from '../../../src/client/index.ts';
import { linkTo } from '../../../src/core/link.ts';
import { useStore } from '../../data/store.ts';
import { addRow } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate, threadPath, visitCount } from '../../shell/address.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { download } from '../../ui/files.ts';
import { JumpToLatest, useFollowEnd, useIsInView } from '../../ui/follow-end.tsx';
import { lazyWithRetry } from '../../ui/lazy.ts';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { EmptyState } from '../../ui/status/empty-state.tsx';
import { showPanel } from '../panel-state.ts';
import { SidePanel } from '../side-panel.tsx';
import { archiveName, archivePath } from './archive.ts';
import { DialogueComposer } from './composer.tsx';
import { AwaySummary, isWorthShowing } from './drafts/away-summary.tsx';
import { useSeenTracking } from './drafts/seen-tracking.ts';
import { DialogueHeader, forkLabel } from './header.tsx';
import type { LiveDialogue } from './live-dialogue.ts';
import type { ThoughtsLook } from './panel/panel.tsx';
import { OpenMessage } from './past/open-message.tsx';
import { PastTurns } from './past/past-turns.tsx';
import type { SelectedPassage } from './selected-passage.ts';
import styles from './talk.module.css';
import dockStyles from './turn/action-bar.module.css';
import { ActionBar } from './turn/action-bar.tsx';
import { MindWants, SteerForm } from './turn/dock.tsx';
import { TurnSheet } from './turn/sheet.tsx';
import { useTurnActions } from './turn/turn-actions.ts';
import { useTurnData } from './turn/turn-data.ts';
import { useTurnView } from './turn/turn-view.ts';

const DialoguePanel = lazyWithRetry(async () => (await import('./panel/panel.tsx')).DialoguePanel);
const SettingsDialog = lazyWithRetry(async () => (await import('./settings-dialog.tsx')).SettingsDialog);

interface TalkProps {
  readonly dialogue: LiveDialogue;
  readonly status: DialogueStatus;
  readonly at: string | undefined;
}

/** What was said, oldest first, the live turn at the end, and below it what can be done. */
export function Talk({ dialogue, status, at }: TalkProps) {
  const away = useStore(dialogue.away);
  const { pairs, hasMore } = useStore(dialogue.history);
  const [selection, setSelection] = useState<SelectedPassage>();
  const [look, setLook] = useState<ThoughtsLook>('clusters');
  const [isConfiguring, setConfiguring] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { attempt, refusal } = useAttempt();
  const { isAtEnd, toEnd, stay } = useFollowEnd(area, content);
  const { turn } = status;
  const data = useTurnData(dialogue, status);
  const showSheetTop = useCallback(() => {
    stay();
    if (!sheet.current || !area.current) return;
    const { top, height } = area.current.getBoundingClientRect();
    const offset = sheet.current.getBoundingClientRect().top - top;
    if (offset < 0 || offset > height / 2) area.current.scrollBy({ top: offset, behavior: 'instant' });
  }, [stay]);
  const view = useTurnView(data, { turn: turn?.turn, isAtEnd, onPick: showSheetTop });
  const isSheetSeen = useIsInView(area, sheet, turn?.turn);
  // A finished draft that is longer than the window has nothing newer below it.
  const isNewerElsewhere =
    (turn && !isSheetSeen) || (!view.compared && (data.liveSince !== undefined || !view.isNewest));
  const path = linkTo({ id: dialogue.id, kind: 'dialogue' }, String(turn?.turn ?? 0));
  const [latestPair] = pairs;
  useSeenTracking(area, dialogue, data.buffer.turn, `${data.strip.length} ${view.shown?.iter} ${view.reply?.index}`);

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
      return outcome;
    },
    [dialogue, attempt],
  );

  const selectPassage = useCallback((next: SelectedPassage | undefined) => {
    setSelection(next);
    if (next) showPanel();
  }, []);
  const explain = (draft: DraftItem, sentence?: string) =>
    selectPassage({ turn: turn?.turn ?? 0, draft: draft.index, sentence });

  async function fork(): Promise<void> {
    const outcome = await attempt(() => dialogue.remote.command('fork', turn ? { seq: turn.fork_at } : {}));
    if (!outcome) return;
    addRow(outcome.thread);
    navigate(threadPath(outcome.thread));
  }

  const focusComposer = () => field.current?.focus();
  useActions('This dialogue', [
    { name: turn ? 'Steer the mind' : 'Write', keys: turn ? ['s', 'c'] : ['c', 's'], act: focusComposer },
    { name: 'Dialogue settings', act: () => setConfiguring(true) },
    { name: forkLabel(status), act: () => void fork() },
    { name: 'Download all drafts', act: () => download(archivePath(dialogue.id), archiveName(dialogue.id)) },
    { name: 'Show earlier turns', act: () => void dialogue.showEarlier(), when: hasMore },
  ]);
  useTurnActions({ dialogue, view, data, path, turn: turn?.turn ?? 0, selection, accept, explain });

  const [turnNumber, index] = (at ?? '').split('.').map(Number);
  const target = turn && turnNumber === turn.turn && index ? index : undefined;
  const visit = useStore(visitCount);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address is gone to each time somebody goes to it
  useEffect(() => {
    if (target !== undefined && view.goTo(target)) focusDraft(area.current, target);
  }, [target, visit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (!at?.startsWith('thought.')) return;
    setLook('order');
    // A new address closes what is open over the page first.
    const frame = requestAnimationFrame(showPanel);
    return () => cancelAnimationFrame(frame);
  }, [at, visit]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the room is opened
  useLayoutEffect(() => {
    if (!turn && pairs.length === 0) field.current?.focus();
    // What is finished is read from its beginning; what is being written is followed.
    if (turn && !data.isRunning && target === undefined) {
      document.getElementById(`turn-${turn.turn}`)?.scrollIntoView({ block: 'start' });
      stay();
    }
  }, []);
  const turnKey = turn?.turn ?? `after ${latestPair?.turn}`;
  const [firstKey] = useState(turnKey);
  useEffect(() => {
    if (turnKey !== firstKey) toEnd();
  }, [turnKey, firstKey, toEnd]);

  const acceptedLink =
    latestPair &&
    threadPath({ id: dialogue.id, kind: 'dialogue' }, `${latestPair.turn}.${latestPair.accepted_draft_index}`);
  return (
    <>
      <main className={`room ${styles.room}`} aria-label="Dialogue">
        <DialogueHeader
          id={dialogue.id}
          status={status}
          model={latestPair?.model}
          turns={turn?.turn ?? latestPair?.turn ?? 0}
          acceptedLink={acceptedLink}
          fork={() => void fork()}
          onConfigure={() => setConfiguring(true)}
        />
        <div className={styles.talk} ref={area}>
          <div className={styles.inside} ref={content}>
            <PastTurns
              dialogue={dialogue}
              mind={status.self}
              highlight={selection}
              target={turn && turnNumber === turn.turn ? undefined : turnNumber}
              onSelect={(past, draft, sentence) => selectPassage({ turn: past, draft, sentence })}
            />
            {turn && (
              <section aria-label={`Turn ${turn.turn}, open`}>
                <OpenMessage key={turn.turn} dialogue={dialogue} turn={turn} />
                {away && isWorthShowing(away) && away.turn === turn.turn && (
                  <AwaySummary
                    away={away}
                    onAccept={(best) => void accept({ index: best })}
                    onRead={(best) => {
                      if (view.goTo(best)) focusDraft(area.current, best);
                    }}
                    onDismiss={() => dialogue.away.set(undefined)}
                  />
                )}
                <TurnSheet
                  dialogue={dialogue}
                  status={status}
                  data={data}
                  view={view}
                  path={path}
                  highlight={selection?.turn === turn.turn ? selection : undefined}
                  sheet={sheet}
                  actions={{ accept, explain, stopEditing: view.stopEditing }}
                />
              </section>
            )}
            {!turn && status.iter === 0 && <EmptyDialogue />}
          </div>
          {!isAtEnd && isNewerElsewhere && (
            <JumpToLatest
              onJump={() => {
                view.follow();
                toEnd();
              }}
            />
          )}
        </div>
        {turn ? (
          <div className={dockStyles.dock}>
            <MindWants status={status} />
            <RefusalMessage reason={refusal} />
            <SteerForm key={turn.turn} dialogue={dialogue} turn={turn.turn} field={field} />
            <ActionBar
              dialogue={dialogue}
              status={status}
              view={view}
              canCompare={data.replies.length > 1}
              accept={(draft) => void accept(draft)}
              steer={focusComposer}
            />
          </div>
        ) : (
          <>
            <MindWants status={status} />
            <RefusalMessage reason={refusal} />
            <DialogueComposer key={latestPair?.turn ?? 0} dialogue={dialogue} status={status} field={field} />
          </>
        )}
      </main>
      <SidePanel label="Thoughts" isClosedAtFirst>
        <Suspense>
          <DialoguePanel
            dialogue={dialogue}
            status={status}
            selection={selection}
            look={look}
            onLook={setLook}
            onSelect={selectPassage}
          />
        </Suspense>
      </SidePanel>
      <Suspense fallback={<div data-modal="" />}>
        {isConfiguring && <SettingsDialog dialogue={dialogue} onClose={() => setConfiguring(false)} />}
      </Suspense>
      <Announcer text={announcement} />
    </>
  );
}

/** Gives a draft the focus once it is shown, so that the next key acts on it. */
function focusDraft(area: HTMLElement | null, index: number): void {
  requestAnimationFrame(() =>
    area?.querySelector<HTMLElement>(`[id="draft-${index}"]`)?.focus({ preventScroll: true }),
  );
}

function EmptyDialogue() {
  return (
    <EmptyState
      icon={MessageCircle}
      title="Ask, and a mind drafts an answer"
      text="You see every draft as it is written. The mind continues until you accept one; nothing is sent before that."
    />
  );
}
