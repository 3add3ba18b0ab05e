import { type ComponentType, type KeyboardEvent, useState } from 'react';
import { sleep } from '../data/sleep.ts';
import { createStore, useStore } from '../data/store.ts';
import { focusOnMount, useFocusReturn } from '../ui/focus.ts';
import styles from './host.module.css';
import type { PaletteProps } from './palette.tsx';

const loadedPalette = createStore<{ readonly Palette?: ComponentType<PaletteProps> }>({});
const RETRY_MS = 1_000;

/** Loads the palette behind the first room, which does not wait for it. */
export async function loadPalette(): Promise<void> {
  while (!loadedPalette.get().Palette) {
    try {
      const { Palette } = await import('./palette.tsx');
      loadedPalette.set({ Palette });
    } catch {
      await sleep(RETRY_MS); // The server does not answer.
    }
  }
}

/** The palette. Until it has loaded, a field takes what is typed, and nothing of it is lost. */
export function PaletteHost(props: PaletteProps) {
  const { Palette } = useStore(loadedPalette);
  const [text, setText] = useState('');
  const [isEntered, setEntered] = useState(false);
  useFocusReturn();
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
