import { ArrowUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './composer-box.module.css';
import { IconButton } from './controls/button.tsx';
import { handleSubmit } from './handle-submit.ts';

interface ComposerBoxProps {
  /** The name of the form. */
  readonly label: string;
  /** What stands above the text: what it replies to, files that go with it. */
  readonly above?: ReactNode;
  readonly field: ComponentProps<'textarea'>;
  /** Quiet buttons below the text. */
  readonly tools?: ReactNode;
  readonly hint?: ReactNode;
  readonly sendLabel: string;
  readonly canSend: boolean;
  /** The id of what says who will answer. */
  readonly describedBy?: string | undefined;
  /** Lines below the box. */
  readonly children?: ReactNode;
  onSend(): void;
}

/** The box at the foot of a room: a growing text, its tools, and a button that fills once there is something to send. */
export function ComposerBox(props: ComposerBoxProps) {
  const { label, above, field, tools, hint, sendLabel, canSend, describedBy, children, onSend } = props;
  return (
    <form className={styles.dock} aria-label={label} onSubmit={handleSubmit(onSend)}>
      <div className={styles.box}>
        {above}
        <textarea rows={1} dir="auto" {...field} className={styles.field} />
        <div className={styles.tools}>
          {tools}
          <span className={styles.hint}>{hint}</span>
          <IconButton
            type="submit"
            kind={canSend ? 'primary' : 'secondary'}
            icon={ArrowUp}
            label={sendLabel}
            shortcut="Enter"
            disabled={!canSend}
            aria-describedby={describedBy}
          />
        </div>
      </div>
      {children}
    </form>
  );
}
