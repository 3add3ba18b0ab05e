import { Suspense } from 'react';
import { useStore } from '../data/store.ts';
import { EVERYWHERE, useActions } from '../shell/actions.ts';
import { lazyWithRetry } from '../ui/lazy.ts';
import { currentTarget, explainTarget } from './target.ts';

const SourceDialog = lazyWithRetry(async () => (await import('./source-dialog.tsx')).SourceDialog);

/** The action that shows the source of any text, and its dialog. */
export function ExplainHost() {
  const target = useStore(explainTarget);
  useActions(EVERYWHERE, [
    { name: 'Source: who wrote it, with the proof', keys: ['w'], act: () => explainTarget.set(currentTarget()) },
  ]);
  if (!target) return null;
  return (
    <Suspense fallback={<div data-modal="" />}>
      <SourceDialog target={target} onClose={() => explainTarget.set(undefined)} />
    </Suspense>
  );
}
