import type { ThreadRow } from '../../src/client/index.ts';
import { readLink } from '../../src/core/link.ts';
import type { Origin } from '../../src/core/origin.ts';
import { go } from '../address.ts';
import { Refused, useWish } from '../refused.tsx';
import { client } from '../session.ts';
import { Sheet } from '../sheet.tsx';
import { useStore } from '../store.ts';
import { takesFocus } from '../takes-focus.ts';
import { visible } from '../text/visible.ts';
import { rows } from '../workspace.ts';

type Way = 'draft' | 'message' | 'steer' | 'accept' | 'branch';

interface BringSheetProps {
  readonly origin: Origin;
  /** The address of the text. */
  readonly from: string;
  /** What has to be done before the text is what is shown. */
  settle?(): Promise<unknown>;
  onClose(): void;
}

/** What came of a text goes back to where it was opened from. */
export function BringSheet({ origin, from, settle, onClose }: BringSheetProps) {
  const { wish, busy, refusal } = useWish();
  const into = useStore(rows)?.get(origin.thread);

  async function bring(as: Way): Promise<void> {
    const brought = await wish(async () => {
      await settle?.();
      return client.bring({ from, as });
    });
    if (!brought) return;
    onClose();
    go(brought.link);
  }

  return (
    <Sheet label="Bring it back" onClose={onClose}>
      <div className="open-as">
        <p dir="auto">
          To <b>{visible(into?.title ?? 'where it was opened from')}</b>:
        </p>
        {into &&
          waysInto(into, origin).map(([as, name, means], i) => (
            <p key={as}>
              <button
                {...(i === 0 && { ref: takesFocus })}
                type="button"
                className="link"
                disabled={busy}
                onClick={() => void bring(as)}
              >
                {name}
              </button>{' '}
              <span className="soft">{means}</span>
            </p>
          ))}
        {!into && <p>It is not in this workspace.</p>}
        <Refused because={refusal} />
      </div>
    </Sheet>
  );
}

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
