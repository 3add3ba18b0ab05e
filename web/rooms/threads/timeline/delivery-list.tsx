import { useEffect, useState } from 'react';
import type { WireDelivery, WireEvent } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { RefusalMessage, useAttempt } from '../../../ui/refusal.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { deliveryText } from '../wording/delivery.ts';
import { findWakeClosure, usageText } from '../wording/wake.ts';
import styles from './delivery-list.module.css';

interface DeliveryListProps {
  readonly event: WireEvent;
  readonly thread: OpenThread;
  /** The event that reports the usage, if a model wrote the message. */
  readonly usageEvent: WireEvent | undefined;
}

/** The delivery of a message to each participant: woken or not, why, and the outcome (T17). */
export function DeliveryList({ event, thread, usageEvent }: DeliveryListProps) {
  const { attempt, refusal } = useAttempt();
  const [delivery, setDelivery] = useState<readonly WireDelivery[]>();
  useEffect(() => {
    let isCurrent = true;
    void attempt(() => thread.remote.delivery(event.id)).then(
      (response) => isCurrent && setDelivery(response?.delivery),
    );
    return () => {
      isCurrent = false;
    };
  }, [thread, event, attempt]);
  const { events } = useStore(thread.range);
  const cost = usageEvent && usageText(usageEvent);

  return (
    <section className={styles.explained} aria-label="Who heard this" aria-live="polite">
      {delivery && (
        <ul>
          {delivery.map((each) => (
            <li key={each.participant} dir="auto">
              <Face id={each.participant} size="small" />
              <span>
                <b>
                  <Name id={each.participant} />
                </b>{' '}
                {escapeBidi(deliveryText(each, thread.me, findWakeClosure(events, event, each.participant)))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {delivery?.length === 0 && <p>{noDeliveryText(event)}</p>}
      {cost && <p>Writing it took {cost}.</p>}
      <RefusalMessage reason={refusal} />
    </section>
  );
}

function noDeliveryText({ meta }: WireEvent): string {
  return meta.by === 'human'
    ? 'No agent was invited when this was written. Invite one, then ask it to reply or write again.'
    : 'No other agent was invited when this was written.';
}
