import { Square } from 'lucide-react';
import { memo } from 'react';
import type { WireEvent, WirePresence, WireThreadState } from '../../../../src/client/index.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import type { GrowingText } from '../../../data/live-texts.ts';
import { useStore } from '../../../data/store.ts';
import { useActions } from '../../../shell/actions.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { hueOf } from '../../../ui/people/hue.ts';
import { Name } from '../../../ui/people/participant.tsx';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { StreamingText } from '../../../ui/text/streaming-text.tsx';
import { modelWaitText } from '../../model-wait.ts';
import type { OpenThread } from '../data/thread.ts';
import { RowFace } from './author.tsx';
import { QuoteLink } from './entry-body.tsx';
import live from './live.module.css';
import styles from './message.module.css';

type Wake = WireThreadState['wakes'][number];

interface LiveAnswersProps {
  readonly thread: OpenThread;
  readonly state: WireThreadState;
  readonly events: readonly WireEvent[];
  /** Those whose last try was cut off: their row says so. */
  readonly cut: ReadonlySet<string>;
  /** The last row: what an answer to it would quote stands right above. */
  readonly lastEvent: string | undefined;
  onStop(participant: string): void;
}

const MAX_SHOWN = 4;

/** Participants about to answer: what they write grows where it will stand, with a way to stop it (M12, T18). */
export function LiveAnswers({ thread, state, events, cut, lastEvent, onStop }: LiveAnswersProps) {
  const presence = useStore(thread.presence);
  const texts = useStore(thread.liveTexts);
  const wakes = firstWakes(state.wakes);
  useActions(
    'This thread',
    wakes.map(({ participant }) => ({ name: `Stop ${participant}`, act: () => onStop(participant) })),
  );
  const shownWakes = wakes.filter(({ participant }) => !cut.has(participant));
  const written = new Map(texts.map((text) => [text.from, text]));
  // Those who write come first: their answers stand there sooner.
  const writing = shownWakes.filter(({ participant }) => written.has(participant));
  const others = shownWakes.filter(({ participant }) => !written.has(participant));
  const shown = [...writing, ...others].slice(0, Math.max(MAX_SHOWN, writing.length));
  if (shownWakes.length === 0) return null;
  return (
    <section aria-label="At work" className={live.atWork}>
      {shown.map((wake, index) => (
        <LiveAnswer
          key={wake.participant}
          wake={wake}
          text={written.get(wake.participant)}
          presence={presence.get(wake.participant)}
          state={state}
          thread={thread}
          events={events}
          question={wake.event === lastEvent ? undefined : findQuestion(thread, events, wake.event)}
          isLast={index === shown.length - 1}
          onStop={onStop}
        />
      ))}
      {shownWakes.length > shown.length && <p className={live.more}>and {shownWakes.length - shown.length} more</p>}
    </section>
  );
}

/** What is being answered: the event that woke the agent, or the message it is asked to answer again (T39). */
function findQuestion(thread: OpenThread, events: readonly WireEvent[], id: string): WireEvent | undefined {
  const event = events.find((each) => each.id === id);
  const about = event?.type === 'control' ? event.meta.reply_to : undefined;
  if (about === undefined) return event;
  return events.find((each) => each.id === about) ?? thread.quotedEvents.get().get(about);
}

/** One for each participant: an answer covers all its wakes. */
function firstWakes(wakes: readonly Wake[]): readonly Wake[] {
  return [...new Map(wakes.toReversed().map((wake) => [wake.participant, wake])).values()].reverse();
}

interface LiveAnswerProps {
  readonly wake: Wake;
  readonly text: GrowingText | undefined;
  readonly presence: WirePresence | undefined;
  readonly state: WireThreadState;
  readonly thread: OpenThread;
  readonly events: readonly WireEvent[];
  readonly question: WireEvent | undefined;
  readonly isLast: boolean;
  onStop(participant: string): void;
}

/** Only those that grow are drawn anew. */
const LiveAnswer = memo(function LiveAnswer({
  wake,
  text,
  presence,
  state,
  thread,
  events,
  question,
  isLast,
  onStop,
}: LiveAnswerProps) {
  const { participant, reason } = wake;
  const hue = hueOf(participant);
  const model = state.participants.find(({ id }) => id === participant)?.profile.model;
  const since = text?.since ?? Date.parse(presence?.since ?? '');
  const status = statusText(state, presence, wake, text);
  const isWorking = text !== undefined || presence?.state === 'thinking';
  return (
    <article
      className={`${styles.row} ${live.live}${text ? ` ${live.writing}` : ''}${isLast ? ` ${live.last}` : ''}`}
      aria-label={`${participant} ${text ? 'is writing' : status}`}
      aria-busy={isWorking}
      data-hue={hue}
    >
      <RowFace id={participant} />
      <div className={styles.content}>
        <div className={styles.by}>
          <b>
            <Name id={participant} />
          </b>
          {text && model && model !== participant && <span className={styles.fact}>{model}</span>}
          {!text && (
            <span className={live.status} title={reason}>
              {isWorking && !Number.isNaN(since) ? <LiveLine doing={status} since={since} hue={hue} /> : status}
            </span>
          )}
        </div>
        {text && question && (
          <QuoteLink
            event={question}
            id={question.id}
            thread={thread.id}
            isAnotherReply={events.some(({ from, meta }) => from === participant && meta.reply_to === question.id)}
          />
        )}
        {text && (
          <div className={styles.text}>
            <StreamingText text={text.text} hue={hue} isCut={text.start > 0} />
          </div>
        )}
        <div className={live.foot}>
          <Button icon={Square} aria-label={`Stop ${participant}`} onClick={() => onStop(participant)}>
            Stop
          </Button>
          {text && <LiveLine doing={status} since={since} hue={hue} />}
        </div>
      </div>
    </article>
  );
});

function statusText(
  state: WireThreadState,
  presence: WirePresence | undefined,
  { participant, behind, waiting }: Wake,
  text: GrowingText | undefined,
): string {
  if (waiting && !state.paused && isWaiting(waiting, Date.now())) return `is ${modelWaitText(waiting)}`;
  if (text) return `Writing · ${countWords(text.text)}`;
  if (presence?.state === 'thinking') return 'is reading';
  if (state.paused) return 'answers when the thread resumes';
  if (behind && state.wakes.some((wake) => wake.participant === behind)) return `answers after ${behind}`;
  const { profile } = state.participants.find(({ id }) => id === participant) ?? {};
  // A participant that no server runs answers when it connects.
  if (!profile?.client && (!presence || presence.reach === 'none')) return 'will answer once it connects';
  return 'is to answer';
}

function countWords(text: string): string {
  const words = text.trim().split(/\s+/).length;
  return `${formatNumber(words)} ${words === 1 ? 'word' : 'words'}`;
}
