import { Suspense, useEffect, useRef, useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { RoomLoading, RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { markThreadRead } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate } from '../../shell/address.ts';
import { Announcer } from '../../ui/announcer.tsx';
import { lazyWithRetry } from '../../ui/lazy.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { SidePanel } from '../side-panel.tsx';
import { CastPeople } from './cast.tsx';
import { type ComposerHandle, ExchangeComposer } from './composer.tsx';
import { ExchangeHeader } from './header.tsx';
import { headSeq, type LiveExchange, openLiveExchange } from './live-exchange.ts';
import { ExchangePanel } from './panel/panel.tsx';
import { parsePlace } from './places.ts';
import styles from './room.module.css';
import { ExchangeRunBar } from './run-bar.tsx';
import { Story } from './story.tsx';

const CompareRoom = lazyWithRetry(async () => (await import('./branches/comparison.tsx')).CompareRoom);
const TermsDocument = lazyWithRetry(async () => (await import('./terms/document.tsx')).TermsDocument);

interface ExchangeRoomProps {
  readonly id: string;
  readonly me: string;
  /** The target of the URL: a round, an audit, a thought, the terms or a comparison. */
  readonly at: string | undefined;
}

/** The room of one exchange. */
export function ExchangeRoom({ id, me, at }: ExchangeRoomProps) {
  const exchange = useOpenRoom(openLiveExchange, id, me);
  return exchange ? <OpenExchangeRoom key={id} exchange={exchange} at={at} /> : <main aria-busy="true" />;
}

function OpenExchangeRoom({ exchange, at }: { readonly exchange: LiveExchange; readonly at: string | undefined }) {
  const { phase, problem, isOutOfReach } = useStore(exchange.loadState);
  const status = useStore(exchange.status);
  const composer = useRef<ComposerHandle>(null);
  const place = parsePlace(at);
  const path = `/exchange/${encodeURIComponent(exchange.id)}`;
  useReadMark(exchange.id, status);
  const isNew = useOpenedEmpty(status);
  const branches = useStore(exchange.branches);
  const hasOlder = (useStore(exchange.timeline).rounds.at(-1)?.round ?? 1) > 1;
  const isAtTerms = place?.kind === 'terms';
  const isStory = !isAtTerms && place?.kind !== 'compare';
  useActions('This exchange', [
    { name: 'Speak from outside', keys: ['i'], act: () => composer.current?.write('inject'), when: isStory },
    { name: 'Speak as observer', keys: ['o'], act: () => composer.current?.write('observe'), when: isStory },
    { name: 'Write', keys: ['c'], act: () => composer.current?.write(), when: isStory },
    { name: 'Terms', keys: ['t'], act: () => navigate(`${path}#terms`), when: !isAtTerms },
    { name: 'Back to the rounds', keys: ['t'], act: () => navigate(path), when: isAtTerms },
    { name: 'Show earlier rounds', act: () => void exchange.showOlder(), when: hasOlder && isStory },
    ...branches
      .filter(({ thread }) => thread !== exchange.id)
      .map(({ thread, title }) => ({
        name: `Compare with ${escapeBidi(title)}`,
        act: () => navigate(`${path}#compare.${thread}`),
        many: true as const,
      })),
  ]);

  if (phase === 'missing') return <RoomNotFound kind="exchange" problem={problem} />;
  if (phase === 'loading' || !status) return <RoomLoading isOutOfReach={isOutOfReach} />;
  return (
    <CastPeople exchange={exchange} status={status}>
      {place?.kind === 'compare' ? (
        <Suspense fallback={<main aria-busy="true" />}>
          <CompareRoom key={place.other} exchange={exchange} other={place.other} />
        </Suspense>
      ) : (
        <>
          <main className={`room ${styles.room}`} aria-label="Exchange">
            <ExchangeHeader exchange={exchange} status={status} />
            {isAtTerms ? (
              <div className={styles.area}>
                <div className={styles.wide}>
                  <Suspense>
                    <TermsDocument exchange={exchange} status={status} version={place.version} />
                  </Suspense>
                </div>
              </div>
            ) : (
              <>
                <Story exchange={exchange} status={status} place={place} />
                <ExchangeRunBar exchange={exchange} status={status} />
                <ExchangeComposer exchange={exchange} status={status} handle={composer} />
              </>
            )}
          </main>
          <SidePanel label="Drift" isClosedAtFirst={isNew}>
            <ExchangePanel exchange={exchange} status={status} />
          </SidePanel>
        </>
      )}
      <ExchangeAnnouncer status={status} />
    </CastPeople>
  );
}

/** Whether nothing had been measured when the room was opened: its panel does not open by itself later. */
function useOpenedEmpty(status: ExchangeStatus | undefined): boolean {
  const opened = useRef<boolean>(undefined);
  if (status) opened.current ??= status.round === 0;
  return opened.current ?? true;
}

/** Announces news to screen readers. */
function ExchangeAnnouncer({ status }: { readonly status: ExchangeStatus }) {
  const [first] = useState(status);
  const announcement = status.pending
    ? 'The pool asks for a restart.'
    : status.audits > first.audits
      ? `Audit ${status.audits} is finished.`
      : status.round > first.round
        ? `Round ${status.round} is finished.`
        : '';
  return <Announcer text={announcement} />;
}

/** Marks visible content as read, so that the thread list does not show it as new. */
function useReadMark(id: string, status: ExchangeStatus | undefined): void {
  useEffect(() => {
    if (status && document.visibilityState === 'visible') markThreadRead(id, headSeq(status));
  }, [id, status]);
}
