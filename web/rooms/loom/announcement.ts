import { useEffect, useState } from 'react';
import type { WireEvent } from '../../../src/client/index.ts';
import type { OpenLoom } from './loom.ts';

/** What has happened, in a sentence for those who hear the page. */
export function useAnnouncement(loom: OpenLoom): string {
  const [announcement, setAnnouncement] = useState('');
  useEffect(
    () =>
      loom.replica.onEvents((events) => {
        const last = events.at(-1);
        const text = last && announcementOf(last, loom.me);
        if (text) setAnnouncement(text);
      }),
    [loom],
  );
  return announcement;
}

function announcementOf({ type, content, from }: WireEvent, me: string): string | undefined {
  const details = content as {
    choices?: readonly { content: string }[];
    shown?: number;
    what?: string;
    to?: string;
    reason?: string;
    edits?: readonly unknown[];
  };
  if (type === 'generation.requested' && from === me) return 'Writing.';
  if (type === 'generation.finished') {
    const count = details.choices?.length ?? 0;
    return `${count} ${count === 1 ? 'continuation' : 'continuations'}: ${details.choices?.[details.shown ?? 0]?.content ?? ''}`;
  }
  if (type === 'exploration.turned') return `Exploring: ${details.to}${details.reason ? `, ${details.reason}` : ''}.`;
  if (type === 'loom.reverted') return `Undone: ${details.what}.`;
  if (type === 'loom.repeated') return `Done again: ${details.what}.`;
  if (type === 'loom.committed' && from !== me) return `${from} ${details.edits?.length ? 'edited' : 'wrote'}.`;
  return undefined;
}
