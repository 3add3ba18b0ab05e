import { useEffect } from 'react';
import type { WireThreadState } from '../../../../src/client/index.ts';
import type { OpenThread } from '../data/thread.ts';
import { Controls } from './controls.tsx';
import { People } from './people.tsx';
import type { PanelSections } from './sections.ts';

interface ThreadPanelProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly sections: PanelSections;
  onRename(): void;
  onCatchUp(): void;
}

/** Beside the timeline: the thread itself, and who is in it. */
export function ThreadPanel({ thread, state, sections, onRename, onCatchUp }: ThreadPanelProps) {
  const { focusTarget, clearFocusTarget } = sections;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each thing that is wanted
  useEffect(() => {
    if (focusTarget === undefined) return;
    const section = document.querySelector(`[data-part="${CSS.escape(focusTarget)}"]`);
    section?.scrollIntoView({ block: 'nearest' });
    section?.querySelector<HTMLElement>('input, textarea, button')?.focus();
    clearFocusTarget();
  }, [focusTarget]);
  return (
    <>
      <Controls thread={thread} state={state} sections={sections} onRename={onRename} onCatchUp={onCatchUp} />
      <People thread={thread} state={state} sections={sections} />
    </>
  );
}
