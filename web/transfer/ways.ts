import { parseLink } from '../../src/core/link.ts';
import type { Origin } from '../../src/core/origin.ts';
import type { BringWay } from '../../src/core/threads/commands.ts';
import type { ThreadKind } from '../ui/kinds.ts';

interface WayLabel {
  readonly name: string;
  readonly means: string;
}

/** The name and effect of a way into a thread. The effect differs if the text was opened from that thread. */
export function wayLabel(way: BringWay, kind: ThreadKind, origin?: Pick<Origin, 'link'>): WayLabel {
  switch (way) {
    case 'draft':
      return { name: 'As a draft', means: 'it lies beside the thread until a person posts it' };
    case 'message':
      return MESSAGE_LABELS[kind];
    case 'steer':
      return { name: 'As a note', means: 'the mind sees it; nothing is accepted' };
    case 'accept': {
      const isOwnDraft = parseLink(origin?.link ?? '')?.at?.includes('.');
      const means = isOwnDraft
        ? 'accepts that draft as you changed it'
        : 'accepts the latest draft with this text instead';
      return { name: 'As the answer', means };
    }
    case 'branch':
      return {
        name: 'As a branch',
        means: origin ? 'behind the node it was opened from' : 'behind the end of your path there',
      };
  }
}

const AS_MESSAGE = { name: 'As a message', means: 'it is posted at once, in your name' };
const MESSAGE_LABELS: Readonly<Record<ThreadKind, WayLabel>> = {
  conversation: AS_MESSAGE,
  loom: AS_MESSAGE,
  dialogue: { name: 'As your next message', means: 'the mind is asked with it' },
  exchange: { name: 'As words from outside', means: 'every mind sees them until the next audit' },
};
