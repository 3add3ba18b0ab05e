import { Suspense, useEffect } from 'react';
import { browserStorage, watchStorage } from '../data/browser-storage.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { runWithNotice } from '../ui/notice.tsx';
import { beginTour, leaveTour, nextStep, type Tour, tour } from './tour.ts';

const TourStrip = lazyWithRetry(async () => (await import('./strip.tsx')).TourStrip);

/** The running tour, and the actions that start and leave it. */
export function TourHost({ me, isPaletteOpen }: { readonly me: string; readonly isPaletteOpen: boolean }) {
  const currentTour = useStore(tour);
  const threads = useStore(threadRows);
  const isOtherWorkspace = threads && currentTour && !threads.has(currentTour.threads.conversation);

  useEffect(() => watchStorage('tour', () => tour.set(browserStorage.tour<Tour>())), []);
  useEffect(() => {
    // The stored tour belongs to another workspace that used this address.
    if (isOtherWorkspace) leaveTour();
  }, [isOtherWorkspace]);
  useEffect(() => {
    if (location.pathname !== '/' || location.hash !== '#tour') return;
    history.replaceState(null, '', '/');
    void runWithNotice(beginTour);
  }, []);
  useActions(EVERYWHERE, [
    { name: 'Take the tour', act: () => void runWithNotice(beginTour) },
    { name: 'The tour: next', act: nextStep, when: currentTour !== undefined },
    { name: 'Leave the tour', keys: ['Escape'], act: leaveTour, when: currentTour !== undefined },
  ]);
  if (!currentTour || !threads || isOtherWorkspace) return null;
  return (
    <Suspense>
      <TourStrip key={currentTour.step} tour={currentTour} me={me} isPaletteOpen={isPaletteOpen} />
    </Suspense>
  );
}
