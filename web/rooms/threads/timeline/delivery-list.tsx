import { useEffect, useState } from 'react';
import type { WireDelivery, WireEvent } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { Person } from '../../../ui/person.tsx';
import { Refused, useWish } from '../../../ui/request.tsx';
import { visible } from '../../../ui/text/visible.ts';
import type { Thread } from '../data/thread.ts';
import { wokenWords } from '../wording/delivery.ts';
import { closureFor, usageWords } from '../wording/wake.ts';

interface ExplainedProps {
  readonly event: WireEvent;
  readonly thread: Thread;
  /** What writing it has used, where a model wrote it. */
  readonly used: WireEvent | undefined;
}

/** What became of a message for each participant: woken or not, why, and what came of it (T17). */
export function Explained({ event, thread, used }: ExplainedProps) {
  const { wish, refusal } = useWish();
  const [delivery, setDelivery] = useState<readonly WireDelivery[]>();
  useEffect(() => {
    let isWanted = true;
    void wish(() => thread.remote.delivery(event.id)).then((answer) => isWanted && setDelivery(answer?.delivery));
    return () => {
      isWanted = false;
    };
  }, [thread, event, wish]);
  const { events } = useStore(thread.stretch);
  const cost = used && usageWords(used);

  return (
    <section className="explained soft" aria-label="Who heard this" aria-live="polite">
      {delivery && (
        <ul>
          {delivery.map((each) => (
            <li key={each.participant} dir="auto">
              <Person id={each.participant} />{' '}
              {visible(wokenWords(each, thread.me, closureFor(events, event, each.participant)))}
            </li>
          ))}
        </ul>
      )}
      {delivery?.length === 0 && <p>{nobodyWords(event)}</p>}
      {cost && <p>Writing it took {cost}.</p>}
      <Refused because={refusal} />
    </section>
  );
}

function nobodyWords({ meta }: WireEvent): string {
  return meta.by === 'human'
    ? 'No agent was invited when this was written. Invite one, and prod it or write again.'
    : 'No other agent was invited when this was written.';
}
