import { ChevronUp } from 'lucide-react';
import { type ReactNode, type RefObject, useMemo, useState } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import type { ExchangePlace } from '../places.ts';
import { AuditLetter } from './audit-letter.tsx';
import { BranchStart, StoryEntry, TermsChange } from './entry.tsx';
import { LiveLetter } from './live-letter.tsx';
import { LiveRound } from './live-round.tsx';
import { RoundCard } from './round-card.tsx';
import { timelineRows } from './rows.ts';
import { focusStop, useKeptPlace, useOlderOnScroll, useRepeatedLink, useTarget } from './scrolling.ts';

interface ExchangeTimelineProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly place: ExchangePlace | undefined;
  readonly area: RefObject<HTMLElement | null>;
}

/** Rounds, audits and what was said between them, oldest first; what is being written stands at the end. */
export function ExchangeTimeline({ exchange, status, place, area }: ExchangeTimelineProps) {
  const { rounds, audits, entries } = useStore(exchange.timeline);
  const versions = useStore(exchange.terms)?.versions;
  const branchStart = useStore(exchange.branches).find(({ thread }) => thread === exchange.id);
  const [hidingThought, setHidingThought] = useState<number>();
  const { restarts } = status;
  const rows = useMemo(
    () => timelineRows({ rounds, audits, entries, versions: versions ?? [], restarts, branchStart }),
    [rounds, audits, entries, versions, restarts, branchStart],
  );
  const target = useTarget(exchange, place, rounds);
  const oldest = rounds.at(-1)?.round ?? 1;
  const hasOlder = oldest > 1;
  useRepeatedLink(area);
  useKeptPlace(area, oldest);
  useOlderOnScroll(area, hasOlder, exchange.showOlder);
  useActions('This exchange', [
    {
      name: 'Hide the selected thought from the minds',
      keys: ['v'],
      act() {
        const thought = Number(document.activeElement?.getAttribute('data-thought'));
        if (thought > 0) setHidingThought(thought);
      },
      when: !status.control,
    },
    { name: 'Next item', keys: ['j', 'ArrowDown'], act: () => void focusStop(area.current, 1) },
    {
      name: 'Previous item',
      keys: ['k', 'ArrowUp'],
      act: () => void (focusStop(area.current, -1) || exchange.showOlder()),
    },
    { name: 'First loaded item', keys: ['Home'], act: () => void focusStop(area.current, 'first') },
    { name: 'Latest item', keys: ['End'], act: () => void focusStop(area.current, 'last') },
  ]);

  const activeAfter = status.thoughts - status.active;
  return (
    <>
      {hasOlder && (
        <p>
          <Button kind="quiet" icon={ChevronUp} onClick={() => void exchange.showOlder()}>
            Show earlier rounds ({formatNumber(oldest - 1)} more)
          </Button>
        </p>
      )}
      {rows.map((row): ReactNode => {
        switch (row.kind) {
          case 'round': {
            const { round } = row;
            const [first = 0, last = 0] = [round.thoughts[0]?.id, round.thoughts.at(-1)?.id];
            const idIfInRound = (id: number | undefined) => (id && id >= first && id <= last ? id : undefined);
            return (
              <RoundCard
                key={row.key}
                exchange={exchange}
                round={round}
                activeAfter={Math.max(first - 1, Math.min(last, activeAfter))}
                isTarget={target?.kind === 'round' && target.number === round.round}
                target={target?.kind === 'thought' ? idIfInRound(target.number) : undefined}
                hiding={idIfInRound(hidingThought)}
                onHide={setHidingThought}
              />
            );
          }
          case 'audit': {
            const { audit, roles } = row;
            return (
              <AuditLetter
                key={row.key}
                thread={exchange.id}
                audit={audit}
                roles={roles}
                isTarget={target?.kind === 'audit' && target.number === audit.audit}
                isAwaiting={status.awaiting === audit.audit}
              />
            );
          }
          case 'entry':
            if (row.restart && row.restart.restart === status.pending?.restart) return null; // It is shown below.
            return (
              <StoryEntry
                key={row.key}
                exchange={exchange}
                entry={row.entry}
                restart={row.restart}
                answers={row.answers}
              />
            );
          case 'terms':
            return <TermsChange key={row.key} thread={exchange.id} version={row.version} />;
          default:
            return <BranchStart key={row.key} branch={row.branch} />;
        }
      })}
      <LiveRound exchange={exchange} status={status} />
      <LiveLetter exchange={exchange} status={status} />
    </>
  );
}
