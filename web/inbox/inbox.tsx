import { CheckCheck, Inbox as InboxIcon } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { browserStorage } from '../data/browser-storage.ts';
import { useStore } from '../data/store.ts';
import { kindCounts, markAllRead, needs, threadRows, unreadCounts } from '../data/workspace.ts';
import { useActions } from '../shell/actions.ts';
import { Button } from '../ui/controls/button.tsx';
import { Kbd } from '../ui/controls/kbd.tsx';
import { kindWords, listedKinds } from '../ui/kinds.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { NeedsBadge } from '../ui/status/badge.tsx';
import { EmptyState } from '../ui/status/empty-state.tsx';
import styles from './column.module.css';
import { hiddenKinds, isShownKind, toggleKind } from './hidden-kinds.ts';
import { KindFilter } from './kind-filter.tsx';
import { NeedCard } from './need-card.tsx';
import type { InboxNeed } from './needs.ts';
import { RecentThreads } from './recent.tsx';
import { StartButtons } from './start-buttons.tsx';
import { WorkingNow } from './working.tsx';

/** Only an empty workspace needs it. */
const Welcome = lazyWithRetry(async () => (await import('./welcome.tsx')).Welcome);

const MAX_CARDS = 12;

interface InboxProps {
  readonly me: string;
  readonly workspace: string;
  /** Fills an empty workspace with a sample. */
  showSample(): void;
}

/** Home: what needs the person, what models do now, what was last worked on. */
export function Inbox({ me, workspace, showSample }: InboxProps) {
  const [isOpened, setOpened] = useState(() => browserStorage.hasOpened(workspace));
  const threads = useStore(threadRows);
  if (!threads) return <main aria-busy="true" />;
  const open = () => {
    browserStorage.setOpened(workspace);
    setOpened(true);
  };
  if (threads.size === 0 && !isOpened)
    return (
      <Suspense fallback={<main aria-busy="true" />}>
        <Welcome me={me} showSample={showSample} onOpen={open} />
      </Suspense>
    );
  return <FilledInbox />;
}

function FilledInbox() {
  const hidden = useStore(hiddenKinds);
  const openNeeds = useStore(needs).filter(({ row }) => isShownKind(hidden, row));
  const kinds = listedKinds(useStore(kindCounts).keys());
  const hasUnread = useStore(unreadCounts).size > 0;
  const [isExpanded, setExpanded] = useState(false);
  const [selectedKey, setSelectedKey] = useState<string>();
  const [focusedKey, setFocusedKey] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const shown = isExpanded ? openNeeds : openNeeds.slice(0, MAX_CARDS);
  const selected = shown.find(({ key }) => key === selectedKey) ?? shown[0];
  const urgent = shown.filter(({ quiet }) => !quiet);
  const quiet = shown.filter((need) => need.quiet);
  const urgentCount = openNeeds.filter((need) => !need.quiet).length;

  const move = (step: number) => {
    const place = focusedKey === undefined ? -1 : shown.findIndex(({ key }) => key === selected?.key);
    const next = shown[Math.max(0, Math.min(shown.length - 1, focusedKey === undefined ? 0 : place + step))];
    if (next) cardOf(list.current, next.key)?.focus();
  };
  useActions('Inbox', [
    { name: 'Next card', keys: ['j', 'ArrowDown'], act: () => move(1), when: shown.length > 0 },
    { name: 'Previous card', keys: ['k', 'ArrowUp'], act: () => move(-1), when: shown.length > 0 },
    { name: 'Mark all read', act: markAllRead, when: hasUnread },
    ...kinds.map((kind) => ({
      name: `${hidden.has(kind) ? 'Show' : 'Hide'} ${kindWords(kind).many.toLowerCase()} in the inbox`,
      act: () => toggleKind(kind),
      many: true as const,
    })),
  ]);
  const card = (need: InboxNeed) => (
    <NeedCard key={need.key} need={need} isSelected={need.key === selected?.key} hasKeys={need.key === focusedKey} />
  );
  return (
    <main className={styles.page}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices where the focus is */}
      <div
        ref={list}
        className={styles.column}
        onFocus={({ target }) => {
          const key = keyAt(target);
          // A press must not move what is pressed: keys are shown to those who use them.
          setFocusedKey(target.matches(':focus-visible') ? key : undefined);
          if (key !== undefined) setSelectedKey(key);
        }}
        onBlur={() => setFocusedKey(undefined)}
      >
        <header className={styles.head}>
          <h1>Inbox</h1>
          {hasUnread && (
            <Button kind="quiet" icon={CheckCheck} onClick={markAllRead}>
              Mark all read
            </Button>
          )}
          {kinds.length > 1 && <KindFilter kinds={kinds} />}
        </header>
        <section aria-label="Needs you" className={styles.section}>
          {urgent.length > 0 ? (
            <>
              <div className={styles.sectionHead}>
                <h2>Needs you</h2>
                <NeedsBadge count={urgentCount} />
                <span className={`${styles.push} ${styles.hint}`}>
                  <Kbd keys="J" /> <Kbd keys="K" /> to move, <Kbd keys="↵" /> to open
                </span>
              </div>
              <div className={styles.cards}>{urgent.map(card)}</div>
            </>
          ) : (
            <EmptyState
              icon={InboxIcon}
              title={hidden.size === 0 ? 'Nothing needs you' : 'Nothing of these kinds needs you'}
              text="Drafts, questions and mentions that wait for you appear here. Start something new:"
              actions={<StartButtons />}
            />
          )}
        </section>
        {quiet.length > 0 && (
          <section aria-label="Can wait" className={styles.section}>
            <div className={styles.sectionHead}>
              <h2>Can wait</h2>
            </div>
            <div className={styles.cards}>{quiet.map(card)}</div>
          </section>
        )}
        {shown.length < openNeeds.length && (
          <Button kind="quiet" onClick={() => setExpanded(true)}>
            Show {formatNumber(openNeeds.length - shown.length)} more
          </Button>
        )}
        <WorkingNow />
        <RecentThreads />
      </div>
    </main>
  );
}

function cardOf(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector(`[data-need="${CSS.escape(key)}"]`) ?? null;
}

function keyAt(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-need]')?.dataset.need;
}
