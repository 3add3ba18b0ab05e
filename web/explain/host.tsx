import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { currentTarget, explainTarget } from './target.ts';

const ExplainSheet = lazyWithRetry(async () => (await import('./sheet.tsx')).ExplainSheet);

/** The action that explains any text, and the sheet that shows the explanation. */
export function ExplainHost() {
  const target = useStore(explainTarget);
  useActions(EVERYWHERE, [
    { name: 'Where it came from, with the proof', keys: ['w'], act: () => explainTarget.set(currentTarget()) },
  ]);
  if (!target) return null;
  return (
    <Suspense fallback={null}>
      <ExplainSheet target={target} onClose={() => explainTarget.set(undefined)} />
    </Suspense>
  );
}
