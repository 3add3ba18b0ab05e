import { readLink } from '../../src/core/link.ts';
import type { Origin } from '../../src/core/origin.ts';
import type { Way } from '../../src/core/threads/commands.ts';
import type { Kind } from '../ui/kinds.ts';

interface Words {
  readonly name: string;
  readonly means: string;
}

/** What a way into a thread is called, and what it does; otherwise where the thread is what the text was opened from. */
export function wordsFor(way: Way, kind: Kind, back?: Pick<Origin, 'link'>): Words {
  switch (way) {
    case 'draft':
      return { name: 'As a draft', means: 'it lies beside the thread until a person posts it' };
    case 'message':
      return MESSAGE[kind];
    case 'steer':
      return { name: 'As a note', means: 'the mind sees it; nothing is accepted' };
    case 'accept': {
      const isItsDraft = readLink(back?.link ?? '')?.at?.includes('.');
      const means = isItsDraft
        ? 'accepts that draft as you changed it'
        : 'accepts the latest draft with this text instead';
      return { name: 'As the answer', means };
    }
    case 'branch':
      return {
        name: 'As a branch',
        means: back ? 'behind the node it was opened from' : 'behind the end of your path there',
      };
  }
}

const AT_ONCE = { name: 'As a message', means: 'it is posted at once, in your name' };
const MESSAGE: Readonly<Record<Kind, Words>> = {
  conversation: AT_ONCE,
  loom: AT_ONCE,
  dialogue: { name: 'As your next message', means: 'the mind is asked with it' },
  exchange: { name: 'As words from outside', means: 'every mind sees them until the next audit' },
};
