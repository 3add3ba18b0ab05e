import { type KeyboardEvent, useEffect, useState } from 'react';
import { focusOnMount, useFocusReturn } from '../ui/focus.ts';
import { createLoadable } from '../ui/loadable.ts';
import styles from './host.module.css';
import type { PaletteProps } from './palette.tsx';

const palette = createLoadable<PaletteProps>(async () => (await import('./palette.tsx')).Palette);
export const loadPalette = palette.load;

/** The palette. Until it has loaded, a field takes what is typed, and nothing of it is lost. */
export function PaletteHost(props: PaletteProps) {
  const Palette = palette.useComponent();
  const [text, setText] = useState('');
  const [isEntered, setEntered] = useState(false);
  useFocusReturn();
  useEffect(() => void loadPalette(), []);
  if (Palette) return <Palette {...props} initialText={text} isEntered={isEntered} />;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') props.onClose();
    else if (event.key === 'Enter') setEntered(true);
  }
  return (
    <div role="dialog" aria-label="Search or run a command" aria-busy="true" data-modal="" className={styles.wait}>
      <input
        ref={focusOnMount}
        aria-label="Search or run a command"
        placeholder="Search or run a command"
        dir="auto"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
