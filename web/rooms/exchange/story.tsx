import { useLayoutEffect, useRef } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { JumpToLatest, useFollowEnd } from '../../ui/follow-end.tsx';
import { Branches } from './branches/branches.tsx';
import { Cast } from './cast.tsx';
import type { LiveExchange } from './live-exchange.ts';
import type { ExchangePlace } from './places.ts';
import styles from './room.module.css';
import { Situation } from './situation.tsx';
import { SetupCard } from './terms/setup-card.tsx';
import { ExchangeTimeline } from './timeline/timeline.tsx';

interface StoryProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
  readonly place: ExchangePlace | undefined;
}

/** The exchange as one story from top to bottom: the question, who takes part, what happened, what it waits for. */
export function Story({ exchange, status, place }: StoryProps) {
  const area = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd, stay } = useFollowEnd(area, content);
  const target = place && 'number' in place ? `${place.kind}.${place.number}` : undefined;
  useLayoutEffect(() => {
    if (target) stay();
  }, [target, stay]);
  const hasBegun = status.round > 0 || status.run !== undefined;
  return (
    <div className={styles.area} ref={area}>
      <div className={styles.column} ref={content}>
        <Cast exchange={exchange} status={status} />
        <Branches exchange={exchange} />
        <section className={styles.story} aria-label="Rounds and audits, oldest first">
          <ExchangeTimeline exchange={exchange} status={status} place={place} area={area} />
          {!hasBegun && <SetupCard exchange={exchange} status={status} />}
          <Situation exchange={exchange} status={status} />
        </section>
      </div>
      {!isAtEnd && <JumpToLatest onJump={toEnd} />}
    </div>
  );
}
