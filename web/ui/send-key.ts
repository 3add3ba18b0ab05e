import type { KeyboardEvent } from 'react';

const TOUCH = '(pointer: coarse)';

/** Enter sends; on a touch screen, where Shift Enter is out of reach, it begins a new line and the button sends. */
export function isSendKey({ key, shiftKey, ctrlKey, metaKey, nativeEvent }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || nativeEvent.isComposing) return false;
  return ctrlKey || metaKey || !matchMedia(TOUCH).matches;
}
