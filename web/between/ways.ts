import type { ThreadRow } from '../../src/client/index.ts';
import { readLink } from '../../src/core/link.ts';
import type { Origin } from '../../src/core/origin.ts';

export type Way = 'draft' | 'message' | 'steer' | 'accept' | 'branch';
type Told = readonly [way: Way, name: string, means: string];

/** The usual way first. */
export function waysInto(
  { kind, about }: Pick<ThreadRow, 'kind' | 'about'>,
  origin: Pick<Origin, 'link'>,
): readonly Told[] {
  if (kind === 'exchange') return [['message', 'As words from outside', 'every mind sees them until the next audit']];
  if (kind === 'loom') return [['branch', 'As a branch', 'behind the node it was opened from']];
  if (kind === 'conversation') {
    return [
      ['draft', 'As a draft', 'it lies beside the thread until a person posts it'],
      ['message', 'As a message', 'it is posted at once, in your name'],
    ];
  }
  const { turn } = (about ?? {}) as { turn?: number | null };
  if (!turn) return [['message', 'As your next message', 'the mind is asked with it']];
  const isItsDraft = readLink(origin.link)?.at?.startsWith(`${turn}.`);
  return [
    ...(isItsDraft ? [['accept', 'As the answer', 'accepts that draft as you changed it'] as Told] : []),
    ['steer', 'As a note', 'the mind sees it; nothing is accepted'],
  ];
}
