import { useState } from 'react';
import { browserStorage } from '../data/browser-storage.ts';

/** A text that outlasts a reload until it is sent; setting it to the original forgets it. */
export function useKeptText(key: string, original = ''): readonly [string, (next: string) => void] {
  const [text, setText] = useState(() => browserStorage.unsent(key)?.text ?? original);
  const update = (next: string) => {
    setText(next);
    browserStorage.setUnsent(key, next === original ? undefined : { text: next });
  };
  return [text, update];
}
