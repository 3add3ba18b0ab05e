import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazily } from '../ui/lazy.ts';
import { asked, underHand } from './target.ts';

const ExplainSheet = lazily(async () => (await import('./sheet.tsx')).ExplainSheet);

/** The one action that leads from any text to its cause, and where its answer is shown. */
export function ExplainHost() {
  const now = useStore(asked);
  useActions(EVERYWHERE, [
    { name: 'Where it came from, with the proof', keys: ['w'], act: () => asked.set(underHand()) },
  ]);
  if (!now) return null;
  return (
    <Suspense fallback={null}>
      <ExplainSheet asked={now} onClose={() => asked.set(undefined)} />
    </Suspense>
  );
}
