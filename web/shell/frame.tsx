import type { ReactNode } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { createStore, useStore } from '../data/store.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Sheet, useIsNarrow, useIsWide } from '../ui/sheet.tsx';

/** The sheet that is open on a page too narrow for side columns. */
export const activeSheet = createStore<'list' | 'panel' | undefined>(undefined);
const panelFolded = createStore(browserStorage.isPanelFolded());

/** The list of the workspace at the left; a sheet on a narrow page. */
export function Sidebar({ children }: { readonly children: ReactNode }) {
  const isNarrow = useIsNarrow();
  const isOpen = useStore(activeSheet) === 'list';
  if (!isNarrow)
    return (
      <nav aria-label="Workspace" className="left">
        {children}
      </nav>
    );
  if (!isOpen) return null;
  return (
    <Sheet label="Workspace" side="left" onClose={() => activeSheet.set(undefined)}>
      <nav aria-label="Workspace" className="left">
        {children}
      </nav>
    </Sheet>
  );
}

/** The one panel next to a room: it can be folded, and is a sheet on a narrow page. */
export function SidePanel({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const isWide = useIsWide();
  const isOpen = useStore(activeSheet) === 'panel';
  const isFolded = useStore(panelFolded);
  if (isWide)
    return isFolded ? null : (
      <aside aria-label={label} className="beside">
        {children}
      </aside>
    );
  if (!isOpen) return null;
  return (
    <Sheet label={label} side="right" onClose={() => activeSheet.set(undefined)}>
      <aside aria-label={label} className="beside">
        {children}
      </aside>
    </Sheet>
  );
}

export function togglePanel(): void {
  if (matchMedia('(min-width: 1080px)').matches) {
    panelFolded.set(!panelFolded.get());
    browserStorage.setPanelFolded(panelFolded.get());
  } else activeSheet.set(activeSheet.get() === 'panel' ? undefined : 'panel');
}

/** Shows the panel whether it is folded or a closed sheet. */
export function showPanel(): void {
  if (!matchMedia('(min-width: 1080px)').matches) activeSheet.set('panel');
  else if (panelFolded.get()) togglePanel();
}

export function PanelButton({ label }: { readonly label: string }) {
  const isWide = useIsWide();
  const isShown = !useStore(panelFolded) && isWide;
  return (
    <button type="button" className="act panel-button" aria-expanded={isShown} title="p" onClick={togglePanel}>
      {label}
    </button>
  );
}

/** Opens the list on a page too narrow to show it. */
export function ListButton() {
  const isNarrow = useIsNarrow();
  if (!isNarrow) return null;
  return <ActionButton onClick={() => activeSheet.set('list')}>Workspace</ActionButton>;
}
