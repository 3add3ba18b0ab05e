import { parseLink } from '../../src/core/link.ts';
import type { BringWay, Origin } from '../../src/core/origin.ts';
import { kindWords } from '../ui/kinds.ts';

interface WayLabel {
  readonly name: string;
  readonly means: string;
}

/** The name and effect of a way into a thread. The effect differs if the text was opened from that thread. */
export function wayLabel(way: BringWay, kind: string, origin?: Pick<Origin, 'link'>): WayLabel {
  switch (way) {
    case 'draft':
      return { name: 'As a draft', means: 'Waits in the thread until a person posts it.' };
    case 'message':
      return kindWords(kind).message ?? (kindWords('conversation').message as WayLabel);
    case 'steer':
      return { name: 'As a note', means: 'The mind sees it; nothing is accepted.' };
    case 'accept': {
      const isOwnDraft = parseLink(origin?.link ?? '')?.at?.includes('.');
      const means = isOwnDraft
        ? 'Accepts that draft with your changes.'
        : 'Accepts this text instead of the latest draft.';
      return { name: 'As the answer', means };
    }
    case 'branch':
      return {
        name: 'As a branch',
        means: origin ? 'After the node it was opened from.' : 'At the end of your path in that loom.',
      };
  }
}
