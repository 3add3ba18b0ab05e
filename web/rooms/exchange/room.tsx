import { useEffect, useMemo, useRef, useState } from 'react';
import { NotThere, useOpen } from '../../data/room-loader.tsx';
import { useStore } from '../../data/store.ts';
import { looked } from '../../data/workspace.ts';
import { useActions } from '../../shell/actions.ts';
import { go } from '../../shell/address.ts';
import { Beside, showPanel } from '../../shell/frame.tsx';
import { Announcer } from '../../ui/announcer.tsx';
import { Hues } from '../../ui/person.tsx';
import { visible } from '../../ui/text/visible.ts';
import { Branches } from './branches/branches.tsx';
import { Compare } from './branches/comparison.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { Head } from './header.tsx';
import { type Live, openExchange, seqOf } from './live-exchange.ts';
import { type Doing, Panel } from './panel/panel.tsx';
import { placeIn } from './places.ts';
import type { Status } from './queries.ts';
import { RunLine } from './run-bar.tsx';
import { TermsDocument } from './terms/document.tsx';
import { RestartRequest } from './timeline/restart-request.tsx';
import { Timeline } from './timeline/timeline.tsx';
import '../pool/room.css';
import './exchange.css';
import './timeline/rounds.css';
import './terms/terms.css';

interface RoomProps {
  readonly id: string;
  readonly me: string;
  /** What the address points at: a round, an audit, a thought, the terms or a comparison. */
  readonly at: string | undefined;
}

/** The room of one exchange. */
export function ExchangeRoom({ id, me, at }: RoomProps) {
  const live = useOpen(openExchange, id, me);
  return live ? <OpenRoom key={id} live={live} at={at} /> : <main aria-busy="true" />;
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
  const [doing, setDoing] = useState<Doing>();
  const begin = (what: Doing) => {
    showPanel();
    setDoing(what);
  };
  const branches = useStore(live.branches);
  const hasOlder = (useStore(live.happened).rounds.at(-1)?.round ?? 1) > 1;
  const isAtTerms = place?.kind === 'terms';
  const mayWrite = !isAtTerms && place?.kind !== 'compare';
  useActions('This exchange', [
    { name: 'Speak from outside', keys: ['i'], act: () => composer.current?.write('inject'), when: mayWrite },
    { name: 'Speak as the observer', keys: ['o'], act: () => composer.current?.write('observe'), when: mayWrite },
    { name: 'Write', keys: ['c'], act: () => composer.current?.write(), when: mayWrite },
    { name: 'The terms', keys: ['t'], act: () => go(`${path}#terms`), when: !isAtTerms },
    { name: 'Back to the rounds', keys: ['t'], act: () => go(path), when: isAtTerms },
    { name: 'Branch from here', keys: ['B'], act: () => begin('branch') },
    { name: 'Control branch, without you', act: () => begin('control') },
    { name: 'Halt', act: () => begin('halt'), when: !status?.halted },
    { name: 'Show older rounds', act: () => void live.showOlder(), when: hasOlder && mayWrite },
    ...branches
      .filter(({ thread }) => thread !== live.id)
      .map(({ thread, title }) => ({
        name: `Compare with ${visible(title)}`,
        act: () => go(`${path}#compare.${thread}`),
        many: true as const,
      })),
  ]);

  if (phase === 'missing') return <NotThere what="exchange" problem={problem} />;
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
        <Panel live={live} status={status} doing={doing} onDoing={setDoing} />
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
