import { useEffect, useState } from 'react';
import type { LoomEvent } from '../../../src/core/loom/events.ts';
import type { OpenLoom } from './loom.ts';

/** The latest change as a sentence for screen readers. */
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

/** What a screen reader says about a change, if anything. */
export function announcementOf(event: LoomEvent, me: string): string | undefined {
  const { from } = event;
  switch (event.type) {
    case 'generation.requested':
      return from === me ? 'Writing.' : undefined;
    case 'generation.finished': {
      const { choices, shown } = event.content;
      const count = choices.length;
      return `${count} ${count === 1 ? 'continuation' : 'continuations'}: ${choices[shown]?.content ?? ''}`;
    }
    case 'exploration.turned': {
      const { to, reason } = event.content;
      return `Exploring: ${to}${reason ? `, ${reason}` : ''}.`;
    }
    case 'loom.reverted':
      return `Undone: ${event.content.what}.`;
    case 'loom.repeated':
      return `Redone: ${event.content.what}.`;
    case 'loom.committed':
      return from === me ? undefined : `${from} ${event.content.edits.length > 0 ? 'edited' : 'wrote'}.`;
    default:
      return undefined;
  }
}
