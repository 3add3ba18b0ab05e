import { useState } from 'react';
import { showPanel } from '../../../shell/frame.tsx';

/** Which parts of the panel are unfolded. */
export interface Folds {
  has(part: string): boolean;
  toggle(part: string): void;
  /** Unfolds it wherever the panel is now; it is to have the focus. */
  show(part: string): void;
  /** What was asked for and has not come yet. */
  readonly wanted: string | undefined;
  arrived(): void;
}

export function useFolds(): Folds {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setWanted] = useState<string>();
  return {
    has: (part) => open.has(part),
    toggle: (part) => setOpen((before) => (before.has(part) ? without(before, part) : new Set([...before, part]))),
    show(part) {
      showPanel();
      setOpen((before) => new Set([...before, part]));
      setWanted(part);
    },
    wanted,
    arrived: () => setWanted(undefined),
  };
}

function without(all: ReadonlySet<string>, part: string): ReadonlySet<string> {
  return new Set([...all].filter((each) => each !== part));
}
