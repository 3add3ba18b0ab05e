import type { ReactNode } from 'react';
import type { Attachment } from '../../../../src/client/index.ts';
import { Face, Name } from '../../../ui/people/participant.tsx';
import { LongText } from '../../../ui/text/long-text.tsx';
import { Time } from '../../../ui/time.tsx';
import { AttachmentList } from '../../attachments/attachment-list.tsx';
import styles from './past.module.css';

interface SaidProps {
  readonly by: string;
  readonly ts: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[] | undefined;
  /** Buttons beside the name. */
  readonly actions?: ReactNode;
  /** Notes below the text. */
  readonly children?: ReactNode;
}

/** A message of a person, with their face. */
export function Said({ by, ts, text, attachments, actions, children }: SaidProps) {
  return (
    <div className={styles.said}>
      <Face id={by} />
      <div className={styles.content}>
        <p className={styles.by}>
          <b>
            <Name id={by} />
          </b>
          <span className={styles.time}>
            <Time ts={ts} />
          </span>
          <span className={styles.actions}>{actions}</span>
        </p>
        <div className={styles.message}>
          <LongText text={text} />
          <AttachmentList attachments={attachments} />
        </div>
        {children}
      </div>
    </div>
  );
}
