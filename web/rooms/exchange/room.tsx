import { useEffect, useMemo, useRef, useState } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { RoomNotFound, useOpenRoom } from '../../data/use-room.tsx';
import { markThreadRead } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { navigate } from '../../shell/address.ts';
import { SidePanel, showPanel } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { Hues } from '../../ui/person.tsx';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import { Branches } from './branches/branches.tsx';
import { ComparisonView } from './branches/comparison.tsx';
import { type ComposerHandle, ExchangeComposer } from './composer.tsx';
import { ExchangeHeader } from './header.tsx';
import { headSeq, type LiveExchange, openLiveExchange } from './live-exchange.ts';
import { type ExchangeAction, ExchangePanel } from './panel/panel.tsx';
import { parsePlace } from './places.ts';
import { ExchangeRunBar } from './run-bar.tsx';
import { TermsDocument } from './terms/document.tsx';
import { RestartRequest } from './timeline/restart-request.tsx';
import { ExchangeTimeline } from './timeline/timeline.tsx';
import '../pool/room.css';
import './exchange.css';
import './timeline/rounds.css';
import './terms/terms.css';

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
  const { phase, problem } = useStore(exchange.loadState);
  const status = useStore(exchange.status);
  const composer = useRef<ComposerHandle>(null);
  const area = useRef<HTMLDivElement>(null);
  const place = parsePlace(at);
  const path = `/exchange/${encodeURIComponent(exchange.id)}`;
  const minds = useMemo(() => new Map(status?.minds.map(({ id }, i) => [id, i])), [status?.minds]);
  useReadMark(exchange.id, status);
  const [action, setAction] = useState<ExchangeAction>();
  const openAction = (next: ExchangeAction) => {
    showPanel();
    setAction(next);
  };
  const branches = useStore(exchange.branches);
  const hasOlder = (useStore(exchange.timeline).rounds.at(-1)?.round ?? 1) > 1;
  const isAtTerms = place?.kind === 'terms';
  const canWrite = !isAtTerms && place?.kind !== 'compare';
  useActions('This exchange', [
    { name: 'Speak from outside', keys: ['i'], act: () => composer.current?.write('inject'), when: canWrite },
    { name: 'Speak as the observer', keys: ['o'], act: () => composer.current?.write('observe'), when: canWrite },
    { name: 'Write', keys: ['c'], act: () => composer.current?.write(), when: canWrite },
    { name: 'The terms', keys: ['t'], act: () => navigate(`${path}#terms`), when: !isAtTerms },
    { name: 'Back to the rounds', keys: ['t'], act: () => navigate(path), when: isAtTerms },
    { name: 'Branch from here', keys: ['B'], act: () => openAction('branch') },
    { name: 'Control branch, without you', act: () => openAction('control') },
    { name: 'Halt', act: () => openAction('halt'), when: !status?.halted },
    { name: 'Show older rounds', act: () => void exchange.showOlder(), when: hasOlder && canWrite },
    ...branches
      .filter(({ thread }) => thread !== exchange.id)
      .map(({ thread, title }) => ({
        name: `Compare with ${escapeBidi(title)}`,
        act: () => navigate(`${path}#compare.${thread}`),
        many: true as const,
      })),
  ]);

  if (phase === 'missing') return <RoomNotFound kind="exchange" problem={problem} />;
  if (phase === 'loading' || !status) return <main aria-busy="true" />;
  const isTimeline = place?.kind !== 'terms' && place?.kind !== 'compare';
  return (
    <Hues value={minds}>
      <main className="room exchange" aria-label="Exchange">
        <ExchangeHeader exchange={exchange} status={status} />
        <ExchangeRunBar exchange={exchange} status={status} />
        <div className="talk" ref={area}>
          <div className="talk-inside exchange-inside">
            <Branches exchange={exchange} comparedWith={place?.kind === 'compare' ? place.other : undefined} />
            {isTimeline && (
              <>
                {status.pending && !status.control && (
                  <RestartRequest
                    key={status.pending.restart}
                    exchange={exchange}
                    status={status}
                    restart={status.pending}
                  />
                )}
                <ExchangeTimeline exchange={exchange} status={status} place={place} area={area} />
              </>
            )}
            {place?.kind === 'terms' && <TermsDocument exchange={exchange} status={status} version={place.version} />}
            {place?.kind === 'compare' && <ComparisonView key={place.other} exchange={exchange} other={place.other} />}
          </div>
        </div>
        {isTimeline && <ExchangeComposer exchange={exchange} status={status} handle={composer} />}
      </main>
      <SidePanel label="Pool">
        <ExchangePanel exchange={exchange} status={status} action={action} onAction={setAction} />
      </SidePanel>
      <ExchangeAnnouncer status={status} />
    </Hues>
  );
}

/** Announces news to screen readers. */
function ExchangeAnnouncer({ status }: { readonly status: ExchangeStatus }) {
  const [first] = useState(status);
  const announcement = status.pending
    ? 'The pool asks for a restart.'
    : status.audits > first.audits
      ? `Audit ${status.audits} is there.`
      : status.round > first.round
        ? `Round ${status.round} is over.`
        : '';
  return <Announcer text={announcement} />;
}

/** Marks visible content as read, so that the thread list does not show it as new. */
function useReadMark(id: string, status: ExchangeStatus | undefined): void {
  useEffect(() => {
    if (status && document.visibilityState === 'visible') markThreadRead(id, headSeq(status));
  }, [id, status]);
}
