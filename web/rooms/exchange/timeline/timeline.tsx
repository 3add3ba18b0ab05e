import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { numeral } from '../../../ui/numeral.ts';
import type { Live } from '../live-exchange.ts';
import type { Place } from '../places.ts';
import type { Round, Status } from '../queries.ts';
import { Letter } from './audit-letter.tsx';
import { Begun, Said, TermsChanged } from './entry.tsx';
import { drawnBetween, lanesIn } from './lanes.tsx';
import { RoundRow } from './round-row.tsx';
import { rowsOf } from './rows.ts';

interface TimelineProps {
  readonly live: Live;
  readonly status: Status;
  readonly place: Place | undefined;
  readonly area: RefObject<HTMLDivElement | null>;
}

/** Rounds, audits and all that was said between them, newest first, with the lanes of the clusters beside. */
export function Timeline({ live, status, place, area }: TimelineProps) {
  const { rounds, audits, entries } = useStore(live.happened);
  const clusters = useStore(live.clusters);
  const versions = useStore(live.terms)?.versions;
  const begun = useStore(live.branches).find(({ thread }) => thread === live.id);
  const [hiding, setHiding] = useState<number>();
  const { restarts } = status;
  const rows = useMemo(
    () => rowsOf({ rounds, audits, entries, versions: versions ?? [], restarts, begun }),
    [rounds, audits, entries, versions, restarts, begun],
  );
  const lanes = lanesIn(clusters).join(' ');
  const columns = useMemo(
    () => new Map(lanes === '' ? [] : lanes.split(' ').map((id, column) => [Number(id), column])),
    [lanes],
  );
  const target = useTarget(live, place, rounds);
  useSameLink(area);
  const move = useCallback((by: number | 'first' | 'last') => moveIn(area.current, by), [area]);
  const oldest = rounds.at(-1)?.round ?? 1;
  useActions('This exchange', [
    {
      name: 'Hide the thought you are at from sampling',
      keys: ['v'],
      act() {
        const thought = Number(document.activeElement?.getAttribute('data-thought'));
        if (thought > 0) setHiding(thought);
      },
      when: !status.control,
    },
    { name: 'Next in the timeline', keys: ['j', 'ArrowDown'], act: () => void (move(1) || live.showOlder()) },
    { name: 'Previous in the timeline', keys: ['k', 'ArrowUp'], act: () => move(-1) },
    { name: 'The newest', keys: ['Home'], act: () => move('first') },
    { name: 'The oldest shown', keys: ['End'], act: () => move('last') },
  ]);

  if (rounds.length === 0 && rows.length === 0) return <Empty status={status} />;
  const activeAfter = status.thoughts - status.active;
  const several = status.minds.length > 1 || rounds.some(({ calls }) => calls.length > 1);
  return (
    <section className="timeline-of-rounds" aria-label="Rounds and audits, newest first">
      {rows.map((row): ReactNode => {
        switch (row.kind) {
          case 'round': {
            const { round } = row;
            const [first = 0, last = 0] = [round.thoughts[0]?.id, round.thoughts.at(-1)?.id];
            const inside = (id: number | undefined) => (id && id >= first && id <= last ? id : undefined);
            return (
              <RoundRow
                key={row.key}
                live={live}
                round={round}
                columns={columns}
                drawn={drawnBetween(clusters, columns, round.calls[0]?.iter ?? 0, round.calls.at(-1)?.iter ?? 0)}
                activeAfter={Math.max(first - 1, Math.min(last, activeAfter))}
                several={several}
                isTarget={target?.kind === 'round' && target.number === round.round}
                target={target?.kind === 'thought' ? inside(target.number) : undefined}
                hiding={inside(hiding)}
                onHide={setHiding}
              />
            );
          }
          case 'audit': {
            const { audit, roles } = row;
            const isTarget = target?.kind === 'audit' && target.number === audit.audit;
            const continuedBy = status.run?.state === 'paused' ? 'Go on' : 'Run';
            return (
              <Letter
                key={row.key}
                thread={live.id}
                audit={audit}
                roles={roles}
                isTarget={isTarget}
                continuedBy={status.awaiting === audit.audit ? continuedBy : undefined}
              />
            );
          }
          case 'entry':
            if (row.restart && row.restart.restart === status.pending?.restart) return null; // It stands above.
            return <Said key={row.key} thread={live.id} entry={row.entry} restart={row.restart} />;
          case 'terms':
            return <TermsChanged key={row.key} thread={live.id} version={row.version} />;
          default:
            return <Begun key={row.key} branch={row.branch} />;
        }
      })}
      {oldest > 1 && (
        <p className="older">
          <button type="button" className="act" onClick={() => void live.showOlder()}>
            Show older rounds: {numeral(oldest - 1)} more
          </button>
        </p>
      )}
    </section>
  );
}

function Empty({ status }: { readonly status: Status }) {
  const many = status.minds.length;
  return (
    <p className="empty soft">
      Nothing has been thought yet. Let some rounds run: {many === 1 ? 'a mind thinks' : `${many} minds think`} in a
      shared pool, an auditor reads it now and then and tells you what it is about, and you decide how it goes on.
    </p>
  );
}

/** Where the address points, once what it points at is loaded. */
function useTarget(live: Live, place: Place | undefined, rounds: readonly Round[]) {
  const [kind, number] = place && 'number' in place ? [place.kind, place.number] : [];
  useEffect(() => {
    if (number === undefined) return;
    const reached = (all: readonly Round[]) =>
      kind === 'thought'
        ? all.some(({ thoughts }) => thoughts.some(({ id }) => id <= number))
        : kind === 'round'
          ? (all.at(-1)?.round ?? 0) <= number
          : live.happened.get().audits.some((each) => each.audit === number && each.round >= (all.at(-1)?.round ?? 0));
    void live.reach(reached);
  }, [live, kind, number]);
  return rounds.length > 0 && place && 'number' in place ? place : undefined;
}

/** A link to where the address points already leads there again. */
function useSameLink(area: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const clicked = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.('a[data-in-page]') as HTMLAnchorElement | null;
      if (!link || link.href !== location.href) return;
      const [, thought] = /^#thought\.(\d+)$/.exec(link.hash) ?? [];
      const line = thought && area.current?.querySelector<HTMLElement>(`[data-thought="${thought}"]`);
      if (!line) return;
      line.scrollIntoView({ block: 'center' });
      line.focus({ preventScroll: true });
    };
    const here = area.current;
    here?.addEventListener('click', clicked);
    return () => here?.removeEventListener('click', clicked);
  }, [area]);
}

/** Goes to the next place of the timeline; false when there is none. */
function moveIn(area: HTMLElement | null, by: number | 'first' | 'last'): boolean {
  const stops = [...(area?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])];
  const now = document.activeElement?.closest('[data-stop], .round, .letter, .said');
  const at = stops.findIndex((stop) => stop === document.activeElement || stop === now || now?.contains(stop));
  const next = by === 'first' ? stops[0] : by === 'last' ? stops.at(-1) : stops[at < 0 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return next !== undefined;
}
