import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ThreadRow, WireWays } from '../../src/client/index.ts';
import { linkTo, readLink } from '../../src/core/link.ts';
import type { Way } from '../../src/core/threads/commands.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { rows } from '../data/workspace.ts';
import { go } from '../shell/address.ts';
import { withArticle } from '../ui/kinds.ts';
import { numeral } from '../ui/numeral.ts';
import { Refused, useWish } from '../ui/request.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { firstLine } from '../ui/text/first-line.ts';
import { visible } from '../ui/text/visible.ts';
import type { Bringing } from './requests.ts';
import { FindThread } from './thread-picker.tsx';
import { wordsFor } from './ways.ts';

interface BringSheetProps {
  readonly asked: Bringing;
  onClose(): void;
}

/** A text goes to where its thread was opened from, or to any other thread, as whatever it can be there. */
export function BringSheet({ asked, onClose }: BringSheetProps) {
  const all = useStore(rows);
  const source = readLink(asked.link)?.thread ?? '';
  const origin = all?.get(source)?.origin;
  const [chosen, setChosen] = useState(origin?.thread);
  const into = all?.get(chosen ?? '');
  return (
    <Sheet label="Bring to" onClose={onClose}>
      <div className="open-as">
        {into && (
          <Into
            key={into.id}
            asked={asked}
            row={into}
            back={origin?.thread === into.id ? origin : undefined}
            onDone={onClose}
          />
        )}
        <FindThread
          except={[source, ...(into ? [into.id] : [])]}
          isNeeded={!into}
          label={into ? 'Or to another thread' : 'To which thread'}
          onChoose={({ id }) => setChosen(id)}
        />
      </div>
    </Sheet>
  );
}

interface IntoProps {
  readonly asked: Bringing;
  readonly row: ThreadRow;
  /** Where the text was opened from, if it is there. */
  readonly back: ThreadRow['origin'];
  onDone(): void;
}

/** As what it can come there: what the server says now, and nothing else. */
function Into({ asked, row, back, onDone }: IntoProps) {
  const { wish, busy, refusal } = useWish();
  const [told, setTold] = useState<WireWays>();
  const heading = useRef<HTMLHeadingElement>(null);
  const ways = useRef<HTMLUListElement>(null);
  const where = { from: asked.link, ...(!back && { to: linkTo(row) }) };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is another of these
  useEffect(() => {
    heading.current?.focus();
    void wish(async () => {
      await asked.settle?.();
      return client.waysToBring(where);
    }).then((answer) => answer && setTold(answer));
  }, []);
  // The usual way is a key away, or where there is none another thread; unless somebody is there already.
  useLayoutEffect(() => {
    if (!told || document.activeElement !== heading.current) return;
    const dialog = heading.current?.closest('dialog');
    const next = ways.current?.querySelector('button') ?? dialog?.querySelector<HTMLElement>('[role=combobox]');
    next?.focus();
  }, [told]);

  async function bring(as: Way): Promise<void> {
    const brought = await wish(() => client.bring({ ...where, as }));
    if (!brought) return;
    onDone();
    go(brought.link);
  }

  return (
    <section aria-label={`To ${visible(row.title)}`}>
      {told && (
        <p className="soft" dir="auto">
          “{visible(firstLine(told.text, 60))}”{told.chars > told.text.length && `, ${numeral(told.chars)} characters`}
        </p>
      )}
      <h2 ref={heading} tabIndex={-1} dir="auto">
        To <b>{visible(row.title)}</b>
        <span className="soft">
          , {withArticle(row.kind)}
          {back && ' it was opened from'}
        </span>
      </h2>
      <ul ref={ways}>
        {told?.ways.map((as) => {
          const { name, means } = wordsFor(as, row.kind, back);
          return (
            <li key={as}>
              <button type="button" className="link" disabled={busy} onClick={() => void bring(as)}>
                {name}
              </button>{' '}
              <span className="soft">{means}</span>
            </li>
          );
        })}
      </ul>
      <Refused because={refusal ?? told?.why} />
    </section>
  );
}
