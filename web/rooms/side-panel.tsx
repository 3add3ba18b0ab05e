import { PanelRight, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import { browserStorage } from '../data/browser-storage.ts';
import { createStore, useStore } from '../data/store.ts';
import { activeSheet } from '../shell/frame.tsx';
import { IconButton } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/floating/dialog.tsx';
import { useIsWide } from '../ui/sheet.tsx';
import { panelFolded, roomFolded, togglePanel } from './panel-state.ts';
import styles from './side-panel.module.css';

const [MIN_WIDTH, MAX_WIDTH, DEFAULT_WIDTH, KEY_STEP] = [260, 560, 320, 20];

const panelWidth = createStore(clampWidth(browserStorage.panelWidth() ?? DEFAULT_WIDTH));

interface SidePanelProps {
  readonly label: string;
  /** Buttons in the panel's head. */
  readonly actions?: ReactNode;
  /** It only informs: closed until somebody opens it. */
  readonly isClosedAtFirst?: boolean;
  readonly children: ReactNode;
}

/** The one panel next to a room: it can be closed and resized, and is a sheet on a narrow page. */
export function SidePanel({ label, actions, isClosedAtFirst = false, children }: SidePanelProps) {
  useLayoutEffect(() => {
    roomFolded.set(isClosedAtFirst);
    return () => roomFolded.set(false);
  }, [isClosedAtFirst]);
  const isWide = useIsWide();
  const isSheetOpen = useStore(activeSheet) === 'panel';
  const isFolded = useStore(panelFolded);
  const width = useStore(panelWidth);
  if (isWide) {
    if (isFolded) return null;
    return (
      <aside aria-label={label} className={styles.panel} style={{ width }}>
        <Divider />
        <header className={styles.head}>
          <h2>{label}</h2>
          {actions}
          <IconButton icon={X} label={`Close ${label.toLowerCase()}`} shortcut="p" onClick={togglePanel} />
        </header>
        <div className={styles.body}>{children}</div>
      </aside>
    );
  }
  if (!isSheetOpen) return null;
  return (
    <Dialog title={label} size="side" actions={actions} onClose={() => activeSheet.set(undefined)}>
      <aside aria-label={label}>{children}</aside>
    </Dialog>
  );
}

/** The edge of the panel: dragged, or moved by the arrow keys. */
function Divider() {
  const width = useStore(panelWidth);
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width };
  };
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (start.current) setWidth(start.current.width + start.current.x - clientX);
  };
  const onPointerUp = () => {
    start.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: 1, ArrowRight: -1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    setWidth(width + direction * KEY_STEP);
  };
  return (
    <hr
      className={styles.divider}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onKeyDown={onKeyDown}
    />
  );
}

function setWidth(width: number): void {
  panelWidth.set(clampWidth(width));
  browserStorage.setPanelWidth(panelWidth.get());
}

function clampWidth(width: number): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(width)));
}

export function PanelButton({ label }: { readonly label: string }) {
  const isWide = useIsWide();
  const isShown = !useStore(panelFolded) && isWide;
  return (
    <IconButton
      icon={PanelRight}
      label={label}
      shortcut="p"
      aria-expanded={isShown}
      aria-pressed={isShown}
      onClick={togglePanel}
    />
  );
}
