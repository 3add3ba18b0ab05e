import type { ReactNode } from 'react';
import { kept } from '../data/browser-storage.ts';
import { createStore, useStore } from '../data/store.ts';
import { Sheet, useNarrow, useRoomy } from '../ui/sheet.tsx';

/** What lies over the page where there is no room beside it. */
export const sheet = createStore<'list' | 'panel' | undefined>(undefined);
const folded = createStore(kept.isFolded());

/** The list of the workspace at the left; a sheet on a narrow page. */
export function Left({ children }: { readonly children: ReactNode }) {
  const isNarrow = useNarrow();
  const isOpen = useStore(sheet) === 'list';
  if (!isNarrow)
    return (
      <nav aria-label="Workspace" className="left">
        {children}
      </nav>
    );
  if (!isOpen) return null;
  return (
    <Sheet label="Workspace" side="left" onClose={() => sheet.set(undefined)}>
      <nav aria-label="Workspace" className="left">
        {children}
      </nav>
    </Sheet>
  );
}

/** The one panel beside a room: it can be folded, and is a sheet where there is no room for it. */
export function Beside({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const isRoomy = useRoomy();
  const isOpen = useStore(sheet) === 'panel';
  const isFolded = useStore(folded);
  if (isRoomy)
    return isFolded ? null : (
      <aside aria-label={label} className="beside">
        {children}
      </aside>
    );
  if (!isOpen) return null;
  return (
    <Sheet label={label} side="right" onClose={() => sheet.set(undefined)}>
      <aside aria-label={label} className="beside">
        {children}
      </aside>
    </Sheet>
  );
}

export function togglePanel(): void {
  if (matchMedia('(min-width: 1080px)').matches) {
    folded.set(!folded.get());
    kept.keepFolded(folded.get());
  } else sheet.set(sheet.get() === 'panel' ? undefined : 'panel');
}

/** However it is hidden now. */
export function showPanel(): void {
  if (!matchMedia('(min-width: 1080px)').matches) sheet.set('panel');
  else if (folded.get()) togglePanel();
}

export function PanelButton({ label }: { readonly label: string }) {
  const isRoomy = useRoomy();
  const isShown = !useStore(folded) && isRoomy;
  return (
    <button type="button" className="act panel-button" aria-expanded={isShown} title="p" onClick={togglePanel}>
      {label}
    </button>
  );
}

/** Where the list is not shown, the way to it. */
export function ListButton() {
  const isNarrow = useNarrow();
  if (!isNarrow) return null;
  return (
    <button type="button" className="act" onClick={() => sheet.set('list')}>
      Workspace
    </button>
  );
}
