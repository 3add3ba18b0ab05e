import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ThreadRow, WireBringWays } from '../../src/client/index.ts';
import { linkTo, parseLink } from '../../src/core/link.ts';
import type { BringWay } from '../../src/core/origin.ts';
import { formatNumber } from '../../src/core/text/format-number.ts';
import { client } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { threadRows } from '../data/workspace.ts';
import { navigate } from '../shell/address.ts';
import { Dialog } from '../ui/floating/dialog.tsx';
import { KindIcon } from '../ui/kind-icon.tsx';
import { kindWithArticle } from '../ui/kinds.ts';
import { RefusalMessage, useAttempt } from '../ui/refusal.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { firstLine } from '../ui/text/first-line.ts';
import { ChoiceButton, Choices } from './choices.tsx';
import styles from './dialogs.module.css';
import type { TransferRequest } from './requests.ts';
import { ThreadPicker } from './thread-picker.tsx';
import { wayLabel } from './ways.ts';

interface SendDialogProps {
  readonly request: TransferRequest;
  onClose(): void;
}

/** Sends a text to the thread it was opened from, or to any other, in one of the forms that thread accepts. */
export function SendDialog({ request, onClose }: SendDialogProps) {
  const threads = useStore(threadRows);
  const sourceId = parseLink(request.link)?.thread ?? '';
  const origin = threads?.get(sourceId)?.origin;
  const [targetId, setTargetId] = useState(origin?.thread);
  const target = threads?.get(targetId ?? '');
  return (
    <Dialog title="Send to" onClose={onClose}>
      {target && (
        <BringTarget
          key={target.id}
          request={request}
          row={target}
          origin={origin?.thread === target.id ? origin : undefined}
          onDone={onClose}
        />
      )}
      <ThreadPicker
        excluded={[sourceId, ...(target ? [target.id] : [])]}
        isRequired={!target}
        label={target ? 'Or to another thread' : 'To which thread'}
        onChoose={({ id }) => setTargetId(id)}
      />
    </Dialog>
  );
}

interface BringTargetProps {
  readonly request: TransferRequest;
  readonly row: ThreadRow;
  /** The place the text was opened from, if that is in this thread. */
  readonly origin: ThreadRow['origin'];
  onDone(): void;
}

/** The ways to bring the text to this thread, exactly as the server lists them now. */
function BringTarget({ request, row, origin, onDone }: BringTargetProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [preview, setPreview] = useState<WireBringWays>();
  const heading = useRef<HTMLHeadingElement>(null);
  const endpoints = { from: request.link, ...(!origin && { to: linkTo(row) }) };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another thread is another of these
  useEffect(() => {
    heading.current?.focus();
    void attempt(async () => {
      await request.settle?.();
      return client.waysToBring(endpoints);
    }).then((response) => response && setPreview(response));
  }, []);
  // Focuses the first way, or else the search for another thread, unless the person has already moved the focus.
  useLayoutEffect(() => {
    if (!preview || document.activeElement !== heading.current) return;
    const section = heading.current?.closest('section');
    const next =
      section?.querySelector('button') ?? section?.parentElement?.querySelector<HTMLElement>('[role=combobox]');
    next?.focus();
  }, [preview]);

  async function bring(as: BringWay): Promise<void> {
    const result = await attempt(() => client.bring({ ...endpoints, as }));
    if (!result) return;
    onDone();
    navigate(result.link);
  }

  return (
    <section aria-label={`To ${escapeBidi(row.title)}`} className={styles.target}>
      {preview && (
        <blockquote className={styles.quote} dir="auto">
          “{escapeBidi(firstLine(preview.text, 60))}”
          {preview.chars > preview.text.length && `, ${formatNumber(preview.chars)} characters`}
        </blockquote>
      )}
      <h3 ref={heading} tabIndex={-1} dir="auto" className={styles.heading}>
        <KindIcon kind={row.kind} />
        <span>
          To <b>{escapeBidi(row.title)}</b>,{' '}
          <span className={styles.faint}>
            {kindWithArticle(row.kind)}
            {origin && ' it was opened from'}
          </span>
        </span>
      </h3>
      <Choices>
        {preview?.ways.map((as) => {
          const { name, means } = wayLabel(as, row.kind, origin);
          return <ChoiceButton key={as} name={name} text={means} disabled={busy} onClick={() => void bring(as)} />;
        })}
      </Choices>
      <RefusalMessage reason={refusal ?? preview?.why} />
    </section>
  );
}
