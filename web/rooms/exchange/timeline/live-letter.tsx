import { useCallback } from 'react';
import type { ExchangeStatus } from '../../../../src/client/index.ts';
import { useSelected, useStore } from '../../../data/store.ts';
import { hueOf } from '../../../ui/people/hue.ts';
import { LiveLine } from '../../../ui/status/live-line.tsx';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { StreamingText } from '../../../ui/text/streaming-text.tsx';
import type { LiveExchange } from '../live-exchange.ts';
import { LetterHead } from './audit-letter.tsx';
import styles from './letter.module.css';
import { renderCitations, useKnownThoughts } from './thought-links.tsx';

interface LiveLetterProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The audit that is being written, as the letter it will be (M12); it stays until the finished one takes its place. */
export function LiveLetter({ exchange, status }: LiveLetterProps) {
  const writing = useSelected(exchange.liveTexts, (texts) => texts.find(({ purpose }) => purpose === 'auditor'));
  const written = useStore(exchange.writtenAudit);
  const { audits, rounds } = useStore(exchange.timeline);
  const known = useKnownThoughts(exchange);
  const renderText = useCallback(
    (text: string) => renderCitations(text, exchange.id, known, false),
    [exchange.id, known],
  );
  const newest = audits[0]?.audit ?? 0;
  const isSettling = written !== undefined && written.audit > newest;
  if (!writing && !isSettling) return null;
  const number = isSettling ? written.audit : (status.auditing?.audit ?? newest + 1);
  return (
    <article className={styles.letter} aria-label={`Audit ${number}`} aria-busy={writing !== undefined}>
      <LetterHead title={<b>Audit {number}</b>}>
        {writing ? <LiveLine doing="writing" since={writing.since} hue={hueOf('auditor')} /> : 'written'} · after round{' '}
        {isSettling ? written.round : (rounds[0]?.round ?? status.round)}
      </LetterHead>
      <div className={styles.text}>
        {writing ? (
          <StreamingText text={writing.text} hue={hueOf('auditor')} isCut={writing.start > 0} renderText={renderText} />
        ) : (
          <Markdown text={written?.text ?? ''} renderText={renderText} />
        )}
      </div>
    </article>
  );
}
