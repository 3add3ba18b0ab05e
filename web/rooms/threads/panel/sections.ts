import { useState } from 'react';
import { showPanel } from '../../../shell/frame.tsx';

/** The unfolded parts of the panel. */
export interface PanelSections {
  has(section: string): boolean;
  toggle(section: string): void;
  /** Shows the panel, unfolds the section and moves focus to it. */
  show(section: string): void;
  /** The requested section, until it has appeared. */
  readonly focusTarget: string | undefined;
  clearFocusTarget(): void;
}

export function usePanelSections(): PanelSections {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [focusTarget, setFocusTarget] = useState<string>();
  return {
    has: (section) => open.has(section),
    toggle: (section) =>
      setOpen((previous) => (previous.has(section) ? without(previous, section) : new Set([...previous, section]))),
    show(section) {
      showPanel();
      setOpen((previous) => new Set([...previous, section]));
      setFocusTarget(section);
    },
    focusTarget,
    clearFocusTarget: () => setFocusTarget(undefined),
  };
}

function without(sections: ReadonlySet<string>, section: string): ReadonlySet<string> {
  return new Set([...sections].filter((each) => each !== section));
}
