import { useEffect, useState } from 'react';
import type { WireSummary } from '../../../src/client/index.ts';
import { formatNumber } from '../../../src/core/text/format-number.ts';
import { cursorOf } from '../../../src/protocol/cursor.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { RefusalMessage, useAttempt } from '../../ui/refusal.tsx';
import { LiveLine } from '../../ui/status/live-line.tsx';
import { LongText } from '../../ui/text/long-text.tsx';
import type { OpenThread } from './data/thread.ts';

interface CatchUpDialogProps {
  readonly thread: OpenThread;
  /** The newest seq that had been seen; 0 for all of the thread. */
  readonly after: number;
  onClose(): void;
}

/** An auditor's summary of what the person missed; none of it is posted (T20). */
export function CatchUpDialog({ thread, after, onClose }: CatchUpDialogProps) {
  const { attempt, busy, refusal } = useAttempt();
  const [since, setSince] = useState(after);
  const [summary, setSummary] = useState<WireSummary>();
  const [startedAt] = useState(Date.now);
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
    <Dialog
      title="Catch me up"
      description={since === 0 ? 'Summary of this thread' : 'Summary since you last looked'}
      size="large"
      onClose={onClose}
      footer={
        since > 0 && (
          <Button disabled={busy} onClick={() => setSince(0)}>
            The whole thread
          </Button>
        )
      }
    >
      <div aria-live="polite" aria-busy={busy}>
        {busy && !summary && <LiveLine doing="The auditor is reading" since={startedAt} />}
        {summary &&
          (summary.events === 0 ? <p>There are no messages.</p> : <LongText text={summary.text} isOpen={true} />)}
      </div>
      {summary && summary.events > 0 && <p className="soft">{describeSource(summary)}</p>}
      <RefusalMessage reason={refusal} />
    </Dialog>
  );
}

function describeSource({ by, model, label, events, text }: WireSummary): string {
  const amount = `${formatNumber(events)} ${events === 1 ? 'message' : 'messages'}`;
  const author = by === model ? by : `${by}, by the model ${model}`;
  if (text === '') return `${author}, had nothing to say about ${amount}.`;
  const caveat = label === 'small' ? ' It is a small built-in model that only knows stories: do not rely on it.' : '';
  return `Of ${amount}, by ${author}. It is not posted.${caveat}`;
}
