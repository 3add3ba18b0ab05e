import { useEffect, useState } from 'react';
import {
  HeddleRefusal,
  type NewEventBody,
  type WireDelivery,
  type WireThreadState,
} from '../../../../src/client/index.ts';
import { describeError } from '../../../data/session.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Face } from '../../../ui/people/participant.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import type { OpenThread } from '../data/thread.ts';
import { isAgent } from '../panel/control-actions.ts';
import { wakePreviewSentence } from '../wording/delivery.ts';
import { restingLine } from '../wording/resting.ts';
import { SentenceView } from '../wording/sentence-view.tsx';
import styles from './composer.module.css';
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
  /** Opens the rules of who answers. */
  onChange(): void;
}

/** Who would answer the message being written, and why; or a choice between ambiguous names. */
export function WakePreview({ id, thread, state, body, text, onText, onChange }: WakePreviewProps) {
  const result = useDryRun(thread, state, body);
  const [ambiguous] = body?.type === 'message' ? ambiguousMentions(state?.participants ?? [], text) : [];
  if (ambiguous)
    return (
      <div className={`${styles.who} would-wake`} id={id} role="alert">
        <p>“@{escapeBidi(ambiguous.name)}” matches several people. Which one?</p>
        {ambiguous.ids.map((candidate) => (
          <Button key={candidate} onClick={() => onText(resolveMention(text, ambiguous.name, candidate))}>
            @{candidate}
          </Button>
        ))}
      </div>
    );
  const delivery = body && result?.delivery;
  const resting = !body && state ? restingLine(state, thread.me) : undefined;
  const sentence = delivery ? wakePreviewSentence(delivery, thread.me) : resting?.sentence;
  const woken = delivery?.filter(({ decision }) => decision !== 'no').map(({ participant }) => participant);
  const answering = (woken ?? resting?.answering ?? []).slice(0, MAX_FACES);
  return (
    <div className={`${styles.who} would-wake`} id={id} dir="auto">
      {answering.length > 0 && (
        <span className={styles.faces}>
          {answering.map((participant) => (
            <Face key={participant} id={participant} size="small" />
          ))}
        </span>
      )}
      <p>
        {sentence && <SentenceView sentence={sentence} />}
        {body && result?.refusal && <span className="refused">{escapeBidi(result.refusal)}</span>}
      </p>
      {hasAgents(state) && (
        <Button kind="quiet" onClick={onChange}>
          Change
        </Button>
      )}
    </div>
  );
}

const MAX_FACES = 5;

function hasAgents(state: WireThreadState | undefined): boolean {
  return state?.participants.some(isAgent) ?? false;
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
