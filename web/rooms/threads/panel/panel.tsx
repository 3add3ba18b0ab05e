import { useEffect } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import type { Thread } from '../data/thread.ts';
import { Controls } from './controls.tsx';
import { People } from './people.tsx';
import type { Folds } from './sections.ts';

interface PanelProps {
  readonly thread: Thread;
  readonly state: WireThreadState;
  readonly folds: Folds;
  onRename(): void;
  onCatchUp(): void;
}

/** Beside the timeline: the thread itself, and who is in it. */
export function Panel({ thread, state, folds, onRename, onCatchUp }: PanelProps) {
  const { wanted, arrived } = folds;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is wanted
  useEffect(() => {
    if (wanted === undefined) return;
    const part = document.querySelector(`[data-part="${CSS.escape(wanted)}"]`);
    part?.scrollIntoView({ block: 'nearest' });
    part?.querySelector<HTMLElement>('input, textarea, button')?.focus();
    arrived();
  }, [wanted]);
  return (
    <>
      <Controls thread={thread} state={state} folds={folds} onRename={onRename} onCatchUp={onCatchUp} />
      <People thread={thread} state={state} folds={folds} />
    </>
  );
}
