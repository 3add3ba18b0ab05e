import { useEffect, useState } from 'react';
import type { WireEvent } from '../../../src/client/index.ts';
import type { Loom } from './loom.ts';

/** What has happened, in a sentence for those who hear the page. */
export function useNews(loom: Loom): string {
  const [news, setNews] = useState('');
  useEffect(
    () =>
      loom.replica.onEvents((events) => {
        const last = events.at(-1);
        const text = last && sentenceOf(last, loom.me);
        if (text) setNews(text);
      }),
    [loom],
  );
  return news;
}

function sentenceOf({ type, content, from }: WireEvent, me: string): string | undefined {
  const said = content as {
    choices?: readonly { content: string }[];
    shown?: number;
    what?: string;
    to?: string;
    reason?: string;
    edits?: readonly unknown[];
  };
  if (type === 'generation.requested' && from === me) return 'Writing.';
  if (type === 'generation.finished') {
    const count = said.choices?.length ?? 0;
    return `${count} ${count === 1 ? 'continuation' : 'continuations'}: ${said.choices?.[said.shown ?? 0]?.content ?? ''}`;
  }
  if (type === 'exploration.turned') return `Exploring: ${said.to}${said.reason ? `, ${said.reason}` : ''}.`;
  if (type === 'loom.reverted') return `Undone: ${said.what}.`;
  if (type === 'loom.repeated') return `Done again: ${said.what}.`;
  if (type === 'loom.committed' && from !== me) return `${from} ${said.edits?.length ? 'edited' : 'wrote'}.`;
  return undefined;
}
