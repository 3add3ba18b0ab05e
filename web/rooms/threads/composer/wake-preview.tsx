import { useEffect, useState } from 'react';
import {
  HeddleRefusal,
  type NewEventBody,
  type WireDelivery,
  type WireThreadState,
} from '../../../../src/client/index.ts';
import { describeError } from '../../../data/session.ts';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { wakePreviewSentence } from '../wording/delivery.ts';
import { SentenceView } from '../wording/sentence-view.tsx';
import { ambiguousMentions, resolveMention } from './mentions.ts';

/** A pause this long suggests that the writer looks up. */
const DEBOUNCE_MS = 250;

interface WakePreviewProps {
  readonly id: string;
  readonly thread: OpenThread;
  readonly state: WireThreadState | undefined;
  /** The event that would be sent now. */
  readonly body: Extract<NewEventBody, { type: 'message' | 'task' }> | undefined;
  readonly text: string;
  onText(text: string): void;
}

/** Who would answer the message being written, and why; or a choice between ambiguous names. */
export function WakePreview({ id, thread, state, body, text, onText }: WakePreviewProps) {
  const result = useDryRun(thread, state, body);
  const [ambiguous] = body?.type === 'message' ? ambiguousMentions(state?.participants ?? [], text) : [];
  if (ambiguous)
    return (
      <p className="would-wake" id={id} role="alert">
        “@{escapeBidi(ambiguous.name)}” could be more than one. Which?{' '}
        {ambiguous.ids.map((candidate) => (
          <button
            key={candidate}
            type="button"
            className="link"
            onClick={() => onText(resolveMention(text, ambiguous.name, candidate))}
          >
            @{candidate}
          </button>
        ))}
      </p>
    );
  const sentence = body && result?.delivery && wakePreviewSentence(result.delivery, thread.me);
  return (
    <p className="would-wake soft" id={id} dir="auto">
      {sentence && <SentenceView sentence={sentence} />}
      {body && result?.refusal && <span className="refused">{escapeBidi(result.refusal)}</span>}
    </p>
  );
}

interface DryRunResult {
  readonly delivery?: readonly WireDelivery[];
  readonly refusal?: string;
}

/** Requests a dry run whenever the writer pauses; the last result stays until the next. */
function useDryRun(
  thread: OpenThread,
  state: WireThreadState | undefined,
  body: WakePreviewProps['body'],
): DryRunResult | undefined {
  const [result, setResult] = useState<DryRunResult>();
  const bodyJson = body && JSON.stringify(body);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is muted or invited changes the answer as well
  useEffect(() => {
    if (!bodyJson) return setResult(undefined);
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const next = await requestDryRun(thread, JSON.parse(bodyJson));
      if (isCurrent) setResult(next);
    }, DEBOUNCE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [thread, bodyJson, state]);
  return result;
}

async function requestDryRun(thread: OpenThread, body: NewEventBody): Promise<DryRunResult | undefined> {
  try {
    return { delivery: (await thread.remote.dryRun(body)).delivery };
  } catch (error) {
    // Other errors are retried with the next dry run; a refusal would also apply to the message itself.
    return error instanceof HeddleRefusal ? { refusal: describeError(error) } : undefined;
  }
}
