import { useEffect, useState } from 'react';
import type { WireSummary } from '../../../src/client/index.ts';
import { cursorOf } from '../../../src/protocol/cursor.ts';
import { numeral } from '../../ui/numeral.ts';
import { Refused, useWish } from '../../ui/request.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Text } from '../../ui/text/long-text.tsx';
import type { Thread } from './data/thread.ts';

interface CatchUpProps {
  readonly thread: Thread;
  /** The newest seq that had been seen; 0 for all of the thread. */
  readonly after: number;
  onClose(): void;
}

/** What was said meanwhile, in the words of an auditor; nothing of it is posted (T20). */
export function CatchUp({ thread, after, onClose }: CatchUpProps) {
  const { wish, busy, refusal } = useWish();
  const [since, setSince] = useState(after);
  const [summary, setSummary] = useState<WireSummary>();
  useEffect(() => {
    const leaving = new AbortController();
    setSummary(undefined);
    const asked = since === 0 ? {} : { after: cursorOf('thread', since) };
    void wish(() => thread.remote.summary(asked, leaving.signal)).then((answer) => {
      if (!leaving.signal.aborted) setSummary(answer);
    });
    return () => leaving.abort();
  }, [thread, since, wish]);

  return (
    <Sheet label="Catch me up" onClose={onClose}>
      <h2>{since === 0 ? 'What was said in this thread' : 'What was said since you last looked'}</h2>
      <div className="catch-up" aria-live="polite" aria-busy={busy}>
        {busy && !summary && <p className="soft">The auditor is reading …</p>}
        {summary && (summary.events === 0 ? <p>Nothing was said.</p> : <Text text={summary.text} />)}
        {summary && summary.events > 0 && <p className="soft">{sourceOf(summary)}</p>}
      </div>
      <Refused because={refusal} />
      <p className="draft-ways">
        {since > 0 && (
          <button type="button" className="act" disabled={busy} onClick={() => setSince(0)}>
            The whole thread
          </button>
        )}
        <button type="button" className="act" onClick={onClose}>
          Close
        </button>
      </p>
    </Sheet>
  );
}

function sourceOf({ by, model, label, events, text }: WireSummary): string {
  const what = `${numeral(events)} ${events === 1 ? 'message' : 'messages'}`;
  const who = by === model ? by : `${by}, by the model ${model}`;
  if (text === '') return `${who}, had nothing to say about ${what}.`;
  const trust = label === 'small' ? ' It is small and built in, and only tells stories: do not rely on it.' : '';
  return `Of ${what}, in the words of ${who}. It is not posted.${trust}`;
}
