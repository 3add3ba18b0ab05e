import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { ExchangeStatus, RoundItem } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { ActionButton } from '../../../ui/action-button.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import type { ExchangePlace } from '../places.ts';
import { AuditLetter } from './audit-letter.tsx';
import { BranchStart, TermsChange, TimelineEntry } from './entry.tsx';
import { laneClusters, laneMaskBetween } from './lanes.tsx';
import { RoundRow } from './round-row.tsx';
import { timelineRows } from './rows.ts';

interface ExchangeTimelineProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly place: ExchangePlace | undefined;
  readonly area: RefObject<HTMLDivElement | null>;
}

/** Rounds, audits and the entries between them, newest first, with cluster lanes at the side. */
export function ExchangeTimeline({ exchange, status, place, area }: ExchangeTimelineProps) {
  const { rounds, audits, entries } = useStore(exchange.timeline);
  const clusters = useStore(exchange.clusters);
  const versions = useStore(exchange.terms)?.versions;
  const branchStart = useStore(exchange.branches).find(({ thread }) => thread === exchange.id);
  const [hidingThought, setHidingThought] = useState<number>();
  const { restarts } = status;
  const rows = useMemo(
    () => timelineRows({ rounds, audits, entries, versions: versions ?? [], restarts, branchStart }),
    [rounds, audits, entries, versions, restarts, branchStart],
  );
  const lanes = laneClusters(clusters).join(' ');
  const columns = useMemo(
    () => new Map(lanes === '' ? [] : lanes.split(' ').map((id, column) => [Number(id), column])),
    [lanes],
  );
  const target = useTarget(exchange, place, rounds);
  useRepeatedLink(area);
  const moveFocus = useCallback((by: number | 'first' | 'last') => focusStop(area.current, by), [area]);
  const oldest = rounds.at(-1)?.round ?? 1;
  useActions('This exchange', [
    {
      name: 'Hide the thought you are at from sampling',
      keys: ['v'],
      act() {
        const thought = Number(document.activeElement?.getAttribute('data-thought'));
        if (thought > 0) setHidingThought(thought);
      },
      when: !status.control,
    },
    { name: 'Next in the timeline', keys: ['j', 'ArrowDown'], act: () => void (moveFocus(1) || exchange.showOlder()) },
    { name: 'Previous in the timeline', keys: ['k', 'ArrowUp'], act: () => moveFocus(-1) },
    { name: 'The newest', keys: ['Home'], act: () => moveFocus('first') },
    { name: 'The oldest shown', keys: ['End'], act: () => moveFocus('last') },
  ]);

  if (rounds.length === 0 && rows.length === 0) return <EmptyTimeline status={status} />;
  const activeAfter = status.thoughts - status.active;
  const hasSeveralMinds = status.minds.length > 1 || rounds.some(({ calls }) => calls.length > 1);
  return (
    <section className="timeline-of-rounds" aria-label="Rounds and audits, newest first">
      {rows.map((row): ReactNode => {
        switch (row.kind) {
          case 'round': {
            const { round } = row;
            const [first = 0, last = 0] = [round.thoughts[0]?.id, round.thoughts.at(-1)?.id];
            const idIfInRound = (id: number | undefined) => (id && id >= first && id <= last ? id : undefined);
            return (
              <RoundRow
                key={row.key}
                exchange={exchange}
                round={round}
                columns={columns}
                laneMask={laneMaskBetween(clusters, columns, round.calls[0]?.iter ?? 0, round.calls.at(-1)?.iter ?? 0)}
                activeAfter={Math.max(first - 1, Math.min(last, activeAfter))}
                hasSeveralMinds={hasSeveralMinds}
                isTarget={target?.kind === 'round' && target.number === round.round}
                target={target?.kind === 'thought' ? idIfInRound(target.number) : undefined}
                hiding={idIfInRound(hidingThought)}
                onHide={setHidingThought}
              />
            );
          }
          case 'audit': {
            const { audit, roles } = row;
            const isTarget = target?.kind === 'audit' && target.number === audit.audit;
            const continueLabel = status.run?.state === 'paused' ? 'Go on' : 'Run';
            return (
              <AuditLetter
                key={row.key}
                thread={exchange.id}
                audit={audit}
                roles={roles}
                isTarget={isTarget}
                continueLabel={status.awaiting === audit.audit ? continueLabel : undefined}
              />
            );
          }
          case 'entry':
            if (row.restart && row.restart.restart === status.pending?.restart) return null; // It is shown above.
            return <TimelineEntry key={row.key} thread={exchange.id} entry={row.entry} restart={row.restart} />;
          case 'terms':
            return <TermsChange key={row.key} thread={exchange.id} version={row.version} />;
          default:
            return <BranchStart key={row.key} branch={row.branch} />;
        }
      })}
      {oldest > 1 && (
        <p className="older">
          <ActionButton onClick={() => void exchange.showOlder()}>
            Show older rounds: {formatNumber(oldest - 1)} more
          </ActionButton>
        </p>
      )}
    </section>
  );
}

function EmptyTimeline({ status }: { readonly status: ExchangeStatus }) {
  const mindCount = status.minds.length;
  return (
    <p className="empty soft">
      Nothing has been thought yet. Let some rounds run:{' '}
      {mindCount === 1 ? 'a mind thinks' : `${mindCount} minds think`} in a shared pool, an auditor reads it now and
      then and tells you what it is about, and you decide how it goes on.
    </p>
  );
}

/** The target of the URL, once it is loaded. */
function useTarget(exchange: LiveExchange, place: ExchangePlace | undefined, rounds: readonly RoundItem[]) {
  const [kind, number] = place && 'number' in place ? [place.kind, place.number] : [];
  useEffect(() => {
    if (number === undefined) return;
    const isLoaded = (loadedRounds: readonly RoundItem[]) =>
      kind === 'thought'
        ? loadedRounds.some(({ thoughts }) => thoughts.some(({ id }) => id <= number))
        : kind === 'round'
          ? (loadedRounds.at(-1)?.round ?? 0) <= number
          : exchange.timeline
              .get()
              .audits.some((each) => each.audit === number && each.round >= (loadedRounds.at(-1)?.round ?? 0));
    void exchange.loadUntil(isLoaded);
  }, [exchange, kind, number]);
  return rounds.length > 0 && place && 'number' in place ? place : undefined;
}

/** Makes a link to the current URL scroll to its target again. */
function useRepeatedLink(area: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a[data-in-page]') as HTMLAnchorElement | null;
      if (!link || link.href !== location.href) return;
      const [, thought] = /^#thought\.(\d+)$/.exec(link.hash) ?? [];
      const line = thought && area.current?.querySelector<HTMLElement>(`[data-thought="${thought}"]`);
      if (!line) return;
      line.scrollIntoView({ block: 'center' });
      line.focus({ preventScroll: true });
    };
    const element = area.current;
    element?.addEventListener('click', onClick);
    return () => element?.removeEventListener('click', onClick);
  }, [area]);
}

/** Focuses the next stop of the timeline; false if there is none. */
function focusStop(area: HTMLElement | null, by: number | 'first' | 'last'): boolean {
  const stops = [...(area?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
  const currentStop = document.activeElement?.closest('[data-stop], .round, .letter, .said');
  const at = stops.findIndex(
    (stop) => stop === document.activeElement || stop === currentStop || currentStop?.contains(stop),
  );
  const next = by === 'first' ? stops[0] : by === 'last' ? stops.at(-1) : stops[at < 0 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
