import { Suspense, useEffect } from 'react';
import { kept, whenKeptElsewhere } from '../data/browser-storage.ts';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazily } from '../ui/lazy.ts';
import { doing } from '../ui/notice.tsx';
import { beginTour, leaveTour, nextStep, type Tour, tour } from './tour.ts';

const Strip = lazily(async () => (await import('./strip.tsx')).Strip);

/** The tour, while somebody takes it, and the ways to begin and leave it. */
export function TourHost({ me, finding }: { readonly me: string; readonly finding: boolean }) {
  const now = useStore(tour);
  const known = useStore(rows);
  const elsewhere = known && now && !known.has(now.threads.conversation);

  useEffect(() => whenKeptElsewhere('tour', () => tour.set(kept.tour<Tour>())), []);
  useEffect(() => {
    // What was kept belongs to another workspace that was at this address.
    if (elsewhere) leaveTour();
  }, [elsewhere]);
  useEffect(() => {
    if (location.pathname !== '/' || location.hash !== '#tour') return;
    history.replaceState(null, '', '/');
    void doing(beginTour);
  }, []);
  useActions(EVERYWHERE, [
    { name: 'Take the tour', act: () => void doing(beginTour) },
    { name: 'The tour: next', act: nextStep, when: now !== undefined },
    { name: 'Leave the tour', keys: ['Escape'], act: leaveTour, when: now !== undefined },
  ]);
  if (!now || !known || elsewhere) return null;
  return (
    <Suspense>
      <Strip key={now.step} now={now} me={me} finding={finding} />
    </Suspense>
  );
}
