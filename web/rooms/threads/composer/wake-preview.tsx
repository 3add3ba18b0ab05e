import { useEffect, useState } from 'react';
import { HeddleRefusal, type NewEvent, type WireDelivery, type WireThreadState } from '../../../../src/client/index.ts';
import { sentenceFor } from '../../../data/session.ts';
import { visible } from '../../../ui/text/visible.ts';
import type { Thread } from '../data/thread.ts';
import { wouldWake } from '../wording/delivery.ts';
import { SentenceView } from '../wording/sentence-view.tsx';
import { clarified, unclearIn } from './mentions.ts';

/** A pause in writing this long is when one looks up. */
const PAUSE_MS = 250;

interface WouldWakeProps {
  readonly id: string;
  readonly thread: Thread;
  readonly state: WireThreadState | undefined;
  /** What would be sent now. */
  readonly body: Extract<NewEvent, { type: 'message' | 'task' }> | undefined;
  readonly text: string;
  onText(text: string): void;
}

/** Who would answer what is being written, and why; or which of two is meant. */
export function WouldWake({ id, thread, state, body, text, onText }: WouldWakeProps) {
  const answer = useDryRun(thread, state, body);
  const [unclear] = body?.type === 'message' ? unclearIn(state?.participants ?? [], text) : [];
  if (unclear)
    return (
      <p className="would-wake" id={id} role="alert">
        “@{visible(unclear.name)}” could be more than one. Which?{' '}
        {unclear.ids.map((one) => (
          <button key={one} type="button" className="link" onClick={() => onText(clarified(text, unclear.name, one))}>
            @{one}
          </button>
        ))}
      </p>
    );
  const sentence = body && answer?.delivery && wouldWake(answer.delivery, thread.me);
  return (
    <p className="would-wake soft" id={id} dir="auto">
      {sentence && <SentenceView sentence={sentence} />}
      {body && answer?.refusal && <span className="refused">{visible(answer.refusal)}</span>}
    </p>
  );
}

interface Answer {
  readonly delivery?: readonly WireDelivery[];
  readonly refusal?: string;
}

/** Asks what would happen whenever the writer pauses; the last answer stands until the next. */
function useDryRun(
  thread: Thread,
  state: WireThreadState | undefined,
  body: WouldWakeProps['body'],
): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>();
  const asked = body && JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is muted or invited changes the answer as well
  useEffect(() => {
    if (!asked) return setAnswer(undefined);
    let isWanted = true;
    const timer = setTimeout(async () => {
      const next = await dryRun(thread, JSON.parse(asked));
      if (isWanted) setAnswer(next);
    }, PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [thread, asked, state]);
  return answer;
}

async function dryRun(thread: Thread, body: NewEvent): Promise<Answer | undefined> {
  try {
    return { delivery: (await thread.remote.dryRun(body)).delivery };
  } catch (error) {
    // What cannot be asked now is asked again; a refusal would also meet the message itself.
    return error instanceof HeddleRefusal ? { refusal: sentenceFor(error) } : undefined;
  }
}
