import { RotateCcw, Square, Unplug } from 'lucide-react';
import type { WireEvent } from '../../../../src/client/index.ts';
import { isWaiting } from '../../../../src/core/runs/wait.ts';
import { formatNumber } from '../../../../src/core/text/format-number.ts';
import { threadContent } from '../../../../src/core/threads/content.ts';
import { useStore } from '../../../data/store.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Name } from '../../../ui/people/participant.tsx';
import { Banner } from '../../../ui/status/banner.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { LongText } from '../../../ui/text/long-text.tsx';
import { clock, formatTime } from '../../../ui/time.tsx';
import type { OpenThread } from '../data/thread.ts';
import { wakeClosureOf } from '../wording/wake.ts';
import { RowFace } from './author.tsx';
import { ClockTime } from './clock-time.tsx';
import { partialTextOf } from './entries.ts';
import type { EntryActions } from './entry.tsx';
import styles from './message.module.css';

interface CutEntryProps {
  readonly event: WireEvent;
  readonly thread: OpenThread;
  readonly actions: EntryActions;
}

/** An answer that was cut off: the words that came are kept, with why there are no more and what can be done (T18). */
export function CutEntry({ event, thread, actions }: CutEntryProps) {
  const waiting = threadContent(event, 'wake.waiting');
  const closure = wakeClosureOf(event);
  const state = useStore(thread.state);
  const now = useStore(clock);
  const { participant = '', event: asked } = waiting ?? closure ?? {};
  const text = partialTextOf(event);
  const isOpen = state?.wakes.some((wake) => wake.participant === participant && wake.event === asked) ?? false;
  const isRetrying = waiting && isOpen && isWaiting(waiting, Math.max(now, Date.now()));
  const words = text.split(/\s+/).length;
  return (
    <>
      <RowFace id={participant} />
      <div className={styles.content}>
        <div className={styles.by}>
          <b>
            <Name id={participant} />
          </b>
          <span className={styles.when}>
            <ClockTime ts={event.ts} />
          </span>
        </div>
        <div className={`${styles.text} ${styles.stump}`}>
          <LongText text={text} isOpen={true} />
        </div>
        <div className={styles.cut}>
          <Banner
            tone={isRetrying ? 'warning' : 'failure'}
            icon={Unplug}
            action={
              isOpen ? (
                <Button icon={Square} onClick={() => actions.stop(participant)}>
                  Stop
                </Button>
              ) : (
                <Button icon={RotateCcw} onClick={() => actions.prod(participant, asked)}>
                  Try again
                </Button>
              )
            }
          >
            <span dir="auto">
              Cut off after {formatNumber(words)} {words === 1 ? 'word' : 'words'}; they are kept.{' '}
              {escapeBidi(waiting?.why ?? closure?.reason ?? '')}
              {isRetrying && ` It is asked again at ${formatTime(new Date(waiting.until))}.`}
            </span>
          </Banner>
        </div>
      </div>
    </>
  );
}
