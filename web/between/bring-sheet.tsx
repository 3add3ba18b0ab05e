import type { Origin } from '../../src/core/origin.ts';
import { go } from '../address.ts';
import { Refused, useWish } from '../refused.tsx';
import { client } from '../session.ts';
import { Sheet } from '../sheet.tsx';
import { useStore } from '../store.ts';
import { takesFocus } from '../takes-focus.ts';
import { visible } from '../text/visible.ts';
import { rows } from '../workspace.ts';
import { type Way, waysInto } from './ways.ts';

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
