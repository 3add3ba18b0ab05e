import { useEffect } from 'react';
import type { WireEvent } from '../../src/client/index.ts';
import { client } from '../data/session.ts';
import { createStore, useStore } from '../data/store.ts';

/** More than the inbox shows at once. */
const MAX_KEPT = 64;
const texts = createStore<ReadonlyMap<string, string>>(new Map());
const reading = new Set<string>();

/** The text of an event, once it is read. */
export function useEventText(thread: string | undefined, event: string | undefined): string | undefined {
  const known = useStore(texts);
  useEffect(() => {
    if (thread && event) void loadEventText(thread, event).catch(() => {}); // The card links to it.
  }, [thread, event]);
  return event && known.get(event);
}

export async function loadEventText(thread: string, event: string): Promise<string> {
  const known = texts.get().get(event);
  if (known !== undefined || reading.has(event)) return known ?? '';
  reading.add(event);
  try {
    const text = textOf((await client.thread(thread).event(event)).event);
    texts.set((all) => new Map([...[...all].slice(1 - MAX_KEPT), [event, text]]));
    return text;
  } finally {
    reading.delete(event);
  }
}

function textOf({ content }: WireEvent): string {
  if (typeof content === 'string') return content;
  const { text } = (content ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
}
