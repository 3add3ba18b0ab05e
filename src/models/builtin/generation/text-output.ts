import type { Token } from '../../model.ts';

/** Turns tokens into text as they come: whole characters only, and nothing that may yet prove to be a stop text. */
export interface Outlet {
  /** Takes one more token; says what was kept of it if a stop text is complete. */
  push(bytes: Uint8Array, token?: Omit<Token, 'text'>): { readonly stopped: boolean; readonly kept: string };
  /** No more is coming: what was held back is text after all. */
  flush(): void;
}

type Emit = (text: string, tokens: readonly Token[] | undefined) => void;

interface Held {
  text: string;
  readonly token: Omit<Token, 'text'> | undefined;
}

/** `lead`: what the text begins with and is not to come out. */
export function createOutlet(stops: readonly string[], lead: RegExp, emit: Emit): Outlet {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let held: Held[] = [];
  let begun = false;

  function push(bytes: Uint8Array, token?: Omit<Token, 'text'>) {
    const fresh = decoder.decode(bytes, { stream: true });
    const text = begun ? fresh : fresh.replace(lead, '');
    begun ||= text !== '';
    held.push({ text, token });
    const all = held.map((one) => one.text).join('');
    const stop = firstStop(all, stops);
    if (stop < 0) {
      release(all.length - openEnd(all, stops));
      return { stopped: false, kept: text };
    }
    const kept = text.slice(0, Math.max(0, stop - (all.length - text.length)));
    cutTo(stop);
    release(stop);
    held = [];
    return { stopped: true, kept };
  }

  /** Lets go of the tokens that lie within the first `length` characters, unless they come to nothing yet. */
  function release(length: number): void {
    let [end, count] = [0, 0];
    while (count < held.length && end + held[count]!.text.length <= length) end += held[count++]!.text.length;
    if (end === 0) return;
    const going = held.splice(0, count);
    const tokens = going.flatMap(({ text, token }) => (token ? [{ text, ...token }] : []));
    emit(going.map(({ text }) => text).join(''), tokens.length > 0 ? tokens : undefined);
  }

  function cutTo(length: number): void {
    let left = length;
    for (const one of held) {
      one.text = one.text.slice(0, left);
      left -= one.text.length;
    }
    while (held.length > 0 && held[held.length - 1]!.text === '') held.pop();
  }

  function flush(): void {
    const last = decoder.decode();
    if (last !== '') held.push({ text: last, token: undefined });
    release(Number.POSITIVE_INFINITY);
  }

  return { push, flush };
}

function firstStop(text: string, stops: readonly string[]): number {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** How many characters at the end may be the beginning of a stop text. */
function openEnd(text: string, stops: readonly string[]): number {
  let most = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > most; length--) {
      if (text.endsWith(stop.slice(0, length))) most = length;
    }
  }
  return most;
}
