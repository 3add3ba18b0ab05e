import { lazy, Suspense } from 'react';
import { EVERYWHERE, useActions } from '../actions.ts';
import { underHand } from '../explain/asked.ts';
import { useStore } from '../store.ts';
import { opening } from './asked.ts';

const OpenSheet = lazy(async () => ({ default: (await import('./open-sheet.tsx')).OpenSheet }));

/** The one action that takes any text into another room. */
export function OpenHost() {
  const now = useStore(opening);
  useActions(EVERYWHERE, [
    { name: 'Open it as a loom or a dialogue', keys: ['l'], act: () => opening.set(underHand()) },
  ]);
  if (!now) return null;
  return (
    <Suspense fallback={null}>
      <OpenSheet asked={now} onClose={() => opening.set(undefined)} />
    </Suspense>
  );
}
