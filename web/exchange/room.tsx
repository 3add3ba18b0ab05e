import { useEffect, useMemo, useRef, useState } from 'react';
import { go } from '../address.ts';
import { Announcer } from '../announcer.tsx';
import { Beside } from '../frame.tsx';
import { useKeys } from '../keys.ts';
import { Hues } from '../person.tsx';
import { Refused } from '../refused.tsx';
import { useStore } from '../store.ts';
import { looked } from '../workspace.ts';
import { Branches } from './branches.tsx';
import { Compare } from './compare.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { Head } from './head.tsx';
import { type Live, openExchange, seqOf } from './live.ts';
import { Panel } from './panel.tsx';
import { placeIn } from './places.ts';
import type { Status } from './reads.ts';
import { RestartRequest } from './restart.tsx';
import { RunLine } from './run-line.tsx';
import { TermsDocument } from './terms.tsx';
import { Timeline } from './timeline.tsx';
import '../pool/room.css';
import './exchange.css';
import './rounds.css';
import './terms.css';

interface RoomProps {
  readonly id: string;
  readonly me: string;
  /** What the address points at: a round, an audit, a thought, the terms or a comparison. */
  readonly at: string | undefined;
}

/** The room of one exchange. */
export function ExchangeRoom({ id, me, at }: RoomProps) {
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    const opened = openExchange(id, me);
    setLive(opened);
    void opened.open();
    return opened.close;
  }, [id, me]);
  return live?.id === id ? <OpenRoom key={id} live={live} at={at} /> : <main aria-busy="true" />;
}

function OpenRoom({ live, at }: { readonly live: Live; readonly at: string | undefined }) {
  const { phase, problem } = useStore(live.opened);
  const status = useStore(live.status);
  const composer = useRef<ComposerHandle>(null);
  const area = useRef<HTMLDivElement>(null);
  const place = placeIn(at);
  const path = `/exchange/${encodeURIComponent(live.id)}`;
  const minds = useMemo(() => new Map(status?.minds.map(({ id }, i) => [id, i])), [status?.minds]);
  useLooked(live.id, status);
  useKeys({
    i: () => composer.current?.write('inject'),
    o: () => composer.current?.write('observe'),
    c: () => composer.current?.write(),
    t: () => go(place?.kind === 'terms' ? path : `${path}#terms`),
  });

  if (phase === 'missing') return <NotThere problem={problem} />;
  if (phase === 'loading' || !status) return <main aria-busy="true" />;
  const isTimeline = place?.kind !== 'terms' && place?.kind !== 'compare';
  return (
    <Hues value={minds}>
      <main className="room exchange" aria-label="Exchange">
        <Head live={live} status={status} />
        <RunLine live={live} status={status} />
        <div className="talk" ref={area}>
          <div className="talk-inside exchange-inside">
            <Branches live={live} compared={place?.kind === 'compare' ? place.other : undefined} />
            {isTimeline && (
              <>
                {status.pending && !status.control && (
                  <RestartRequest key={status.pending.restart} live={live} status={status} restart={status.pending} />
                )}
                <Timeline live={live} status={status} place={place} area={area} />
              </>
            )}
            {place?.kind === 'terms' && <TermsDocument live={live} status={status} version={place.version} />}
            {place?.kind === 'compare' && <Compare key={place.other} live={live} other={place.other} />}
          </div>
        </div>
        {isTimeline && <Composer live={live} status={status} handle={composer} />}
      </main>
      <Beside label="Pool">
        <Panel live={live} status={status} />
      </Beside>
      <News status={status} />
    </Hues>
  );
}

/** Tells those who listen instead of looking what has come. */
function News({ status }: { readonly status: Status }) {
  const [first] = useState(status);
  const said = status.pending
    ? 'The pool asks for a restart.'
    : status.audits > first.audits
      ? `Audit ${status.audits} is there.`
      : status.round > first.round
        ? `Round ${status.round} is over.`
        : '';
  return <Announcer text={said} />;
}

/** The list must not call new what stands on this screen. */
function useLooked(id: string, status: Status | undefined): void {
  useEffect(() => {
    if (status && document.visibilityState === 'visible') looked(id, seqOf(status));
  }, [id, status]);
}

function NotThere({ problem }: { readonly problem: string | undefined }) {
  return (
    <main className="room plain">
      <h1>No such exchange</h1>
      <Refused because={problem} />
      <p>
        <a href="/" data-in-page>
          To the start
        </a>
      </p>
    </main>
  );
}
