import type { ReactNode } from 'react';
import { Markdown } from './markdown.tsx';
import styles from './streaming-text.module.css';

interface StreamingTextProps {
  readonly text: string;
  /** The writer's hue, for the caret. */
  readonly hue?: number;
  /** The beginning was written before this page was looking. */
  readonly isCut?: boolean;
  /** Shows a run of plain text, such as citations in it as links. */
  readonly renderText?: (text: string) => ReactNode;
}

/** A text while it is written, with a caret at its end. Screen readers hear it when it is finished, not word by word. */
export function StreamingText({ text, hue, isCut = false, renderText }: StreamingTextProps) {
  return (
    <div className={styles.streaming} data-hue={hue} aria-live="off">
      <Markdown text={isCut ? `… ${text}` : text} isGrowing {...(renderText && { renderText })} />
    </div>
  );
}
