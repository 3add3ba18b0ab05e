import { memo } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { useStore } from '../../../data/store.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { useHue, usePerson } from '../../../ui/people/people.ts';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { escapeBidi } from '../../../ui/text/escape-bidi.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { StreamingText } from '../../../ui/text/streaming-text.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { type LivePart, liveParts } from '../progress.ts';
import { CallNotes } from './call-notes.tsx';
import styles from './round.module.css';

interface LiveRoundProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The round under way: every mind's thoughts grow in the place where they will stand (M12). */
export function LiveRound({ exchange, status }: LiveRoundProps) {
  const spoken = useStore(exchange.spoken);
  const texts = useStore(exchange.liveTexts);
  const round = (useStore(exchange.timeline).rounds[0]?.round ?? 0) + 1;
  const parts = liveParts(
    status.minds.map(({ id }) => id),
    round,
    spoken,
    texts,
  );
  if (parts.length === 0) return null;
  const writing = parts.filter((part) => part.writing);
  return (
    <article className={styles.round} aria-label={`Round ${round}`} aria-busy={writing.length > 0}>
      <p className={styles.head}>
        <b>Round {round}</b>
        {writing.length > 0 ? (
          <LiveLine
            doing={writing.length === 1 ? 'thinking' : `${writing.length} minds thinking`}
            since={Math.min(...writing.map((part) => part.writing?.since ?? 0))}
          />
        ) : (
          <span>running</span>
        )}
      </p>
      {parts.map((part) => (
        <LivePartLines key={part.mind} {...part} />
      ))}
    </article>
  );
}

/** Only what grows is drawn anew. */
const LivePartLines = memo(function LivePartLines({ mind, call, writing }: LivePart) {
  const { name } = usePerson(mind);
  const hue = useHue(mind);
  if (call) {
    return (
      <>
        {call.texts.map((text, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change
          <LiveThought key={i} mind={mind} text={text} />
        ))}
        <CallNotes call={call} />
      </>
    );
  }
  const texts = writing?.texts ?? [];
  if (texts.length === 0) {
    return (
      <div className={styles.thought}>
        <Face id={mind} size="small" />
        <p className={styles.writing}>
          <LiveLine doing={`${escapeBidi(name)} is thinking`} since={writing?.since ?? 0} hue={hue} />
        </p>
      </div>
    );
  }
  return texts.map((text, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: thoughts are only added
    <LiveThought key={i} mind={mind} text={text} isLast={i === texts.length - 1} isCut={i === 0 && writing?.isCut} />
  ));
});

interface LiveThoughtProps {
  readonly mind: string;
  readonly text: string;
  /** It is still being written. */
  readonly isLast?: boolean;
  readonly isCut?: boolean | undefined;
}

function LiveThought({ mind, text, isLast = false, isCut = false }: LiveThoughtProps) {
  const hue = useHue(mind);
  return (
    <div className={styles.thought}>
      <Face id={mind} size="small" />
      <div className={styles.text}>
        <span className="unseen">
          <Name id={mind} />:{' '}
        </span>
        {isLast ? <StreamingText text={text} hue={hue} isCut={isCut} /> : <Markdown text={text} />}
      </div>
      {/* Keeps the room that its number will take, so that no line breaks anew. */}
      <span className={styles.awaited} />
    </div>
  );
}
