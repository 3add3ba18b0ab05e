import { useEffect, useState } from 'react';
import type { WireSummary } from '../../../src/client/index.ts';
import { formatNumber } from '../../../src/core/text/format-number.ts';
import { cursorOf } from '../../../src/protocol/cursor.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import type { OpenThread } from './data/thread.ts';

interface CatchUpSheetProps {
  readonly thread: OpenThread;
  /** The newest seq that had been seen; 0 for all of the thread. */
  readonly after: number;
  onClose(): void;
}

/** An auditor's summary of what the person missed; none of it is posted (T20). */
export function CatchUpSheet({ thread, after, onClose }: CatchUpSheetProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [since, setSince] = useState(after);
  const [summary, setSummary] = useState<WireSummary>();
  useEffect(() => {
    const controller = new AbortController();
    setSummary(undefined);
    const range = since === 0 ? {} : { after: cursorOf('thread', since) };
    void attempt(() => thread.remote.summary(range, controller.signal)).then((response) => {
      if (!controller.signal.aborted) setSummary(response);
    });
    return () => controller.abort();
  }, [thread, since, attempt]);

  return (
    <Sheet label="Catch me up" onClose={onClose}>
      <h2>{since === 0 ? 'What was said in this thread' : 'What was said since you last looked'}</h2>
      <div className="catch-up" aria-live="polite" aria-busy={busy}>
        {busy && !summary && <p className="soft">The auditor is reading …</p>}
        {summary && (summary.events === 0 ? <p>Nothing was said.</p> : <LongText text={summary.text} />)}
        {summary && summary.events > 0 && <p className="soft">{describeSource(summary)}</p>}
      </div>
      <RefusalMessage reason={refusal} />
      <p className="draft-ways">
        {since > 0 && (
          <ActionButton disabled={busy} onClick={() => setSince(0)}>
            The whole thread
          </ActionButton>
        )}
        <ActionButton onClick={onClose}>Close</ActionButton>
      </p>
    </Sheet>
  );
}

function describeSource({ by, model, label, events, text }: WireSummary): string {
  const amount = `${formatNumber(events)} ${events === 1 ? 'message' : 'messages'}`;
  const author = by === model ? by : `${by}, by the model ${model}`;
  if (text === '') return `${author}, had nothing to say about ${amount}.`;
  const caveat = label === 'small' ? ' It is small and built in, and only tells stories: do not rely on it.' : '';
  return `Of ${amount}, in the words of ${author}. It is not posted.${caveat}`;
}
